package parquet

import (
	"hash/crc32"
	"io"

	"blossom/model/base/problem"
)

const (
	pageData = iota
	pageIndex
	pageNames
	pageData2
)

const (
	encodingPlain       = 0
	encodingNamesOld    = 2
	encodingRuns        = 3
	encodingDelta       = 5
	encodingDeltaLength = 6
	encodingDeltaBytes  = 7
	encodingNames       = 8
	encodingSplit       = 9
)

// page is the header of a page.
type page struct {
	kind           int64
	packed, size   int64 // bytes in the file and unpacked
	sum            int64 // checksum; -1: none
	values         int64
	encoding       int64
	levels         int64 // encoding of the levels of definition
	defined, lists int64 // bytes of levels, of the second kind of page
	loose          bool  // the values of a page of the second kind are not packed
}

func (t *thrift) page() (p page) {
	p.sum = -1
	p.levels = encodingRuns
	counted := func(encoding int, more func(id int, kind byte) bool) func(id int, kind byte) bool {
		return func(id int, kind byte) bool {
			switch id {
			case 1:
				return t.number(kind, &p.values)
			case encoding:
				return t.number(kind, &p.encoding)
			}
			return more(id, kind)
		}
	}
	none := func(int, byte) bool { return false }
	t.fields(func(id int, kind byte) bool {
		switch id {
		case 1:
			return t.number(kind, &p.kind)
		case 2:
			return t.number(kind, &p.size)
		case 3:
			return t.number(kind, &p.packed)
		case 4:
			known := t.number(kind, &p.sum)
			p.sum &= 1<<32 - 1
			return known
		case 5:
			return t.within(kind, counted(2, func(id int, kind byte) bool {
				return id == 3 && t.number(kind, &p.levels)
			}))
		case 7:
			return t.within(kind, counted(2, none))
		case 8:
			return t.within(kind, counted(4, func(id int, kind byte) bool {
				switch id {
				case 5:
					return t.number(kind, &p.defined)
				case 6:
					return t.number(kind, &p.lists)
				case 7:
					packed := true
					known := t.truth(kind, &packed)
					p.loose = !packed
					return known
				}
				return false
			}))
		}
		return false
	})
	return p
}

// scratch is the memory that reading one column of a group takes; it is used again.
type scratch struct {
	window   []byte // bytes of the file
	unpacked []byte
	levels   [2][]byte
	numbers  []uint32
	whole    []int64
	values   values
	missing  []bool
}

// window is a part of a file that is read in pieces.
type window struct {
	r        io.ReaderAt
	at, end  int64 // the rest of the part
	from     int64 // where held begins
	held     []byte
	capacity *[]byte
}

const windowSize = 256 << 10

// peek gives the next n bytes, or as many as are left.
func (w *window) peek(n int) ([]byte, error) {
	n = int(min(int64(n), w.end-w.at))
	if off := w.at - w.from; off >= 0 && off+int64(n) <= int64(len(w.held)) {
		return w.held[off:][:n], nil
	}
	size := int(min(int64(max(n, windowSize)), w.end-w.at))
	if cap(*w.capacity) < size {
		*w.capacity = make([]byte, size)
	}
	w.held, w.from = (*w.capacity)[:size], w.at
	if k, err := w.r.ReadAt(w.held, w.at); k < size {
		w.held = nil
		if err == nil || err == io.EOF {
			err = io.ErrUnexpectedEOF
		}
		return nil, err
	}
	return w.held[:n], nil
}

// Headers hold the least and the largest value, which may be long texts.
const (
	usualHeader   = 512
	longestHeader = 8 << 20
)

// header reads the header of the next page.
func (w *window) header() (page, error) {
	for n := usualHeader; ; n *= 8 {
		b, err := w.peek(n)
		if err != nil {
			return page{}, err
		}
		t := thrift{b: b}
		p := t.page()
		if !t.bad {
			w.at += int64(t.at)
			return p, nil
		}
		if !t.cut || len(b) < n || n >= longestHeader {
			return page{}, errDamaged("the header of a page cannot be read")
		}
	}
}

// errDamaged is what is wrong with a column; who reads it says which.
type errDamaged string

func (e errDamaged) Error() string { return string(e) }

const errDelta = errDamaged("differences cannot be read")

// mostPage says which part of the memory a page may take: each core has one, packed and unpacked.
const mostPage = 16

// body reads and unpacks the bytes behind a header. What they become lies in s or in the window.
func (f *File) body(w *window, p *page, codec int64, s *scratch) ([]byte, error) {
	if p.packed < 0 || p.packed > w.end-w.at || p.size < 0 || p.values < 0 {
		return nil, errDamaged("a page lies beyond the column")
	}
	if p.size > f.memory/mostPage || p.packed > f.memory/mostPage {
		return nil, problem.New("", "write it with smaller pages", "has pages of %d MiB, more than the memory holds",
			max(p.size, p.packed)>>20)
	}
	in, err := w.peek(int(p.packed))
	if err != nil {
		return nil, err
	}
	w.at += p.packed
	if p.sum >= 0 && !f.lax && int64(crc32.ChecksumIEEE(in)) != p.sum {
		return nil, errDamaged("the checksum of a page does not fit")
	}
	plain := int64(0) // bytes at the beginning that are not packed
	if p.kind == pageData2 {
		plain = p.defined + p.lists
		if p.defined < 0 || p.lists < 0 || plain < 0 || plain > min(p.size, p.packed) {
			return nil, errDamaged("the levels of a page are longer than it is")
		}
	}
	if p.loose || codec == codecNone {
		if p.size != p.packed {
			return nil, errDamaged("a page has another length than it says")
		}
		return in, nil
	}
	if most := mostUnpacked(codec, p.packed-plain); p.size-plain > most {
		return nil, errDamaged("a page cannot become as long as it says")
	}
	if int64(cap(s.unpacked)) < p.size {
		s.unpacked = make([]byte, p.size)
	}
	out := s.unpacked[:p.size]
	copy(out, in[:plain])
	if p.size == plain { // the bytes of no value are packed as none or as some
		return out, nil
	}
	if err := unpacking[codec](in[plain:], out[plain:]); err != nil {
		return nil, errDamaged("a page cannot be unpacked")
	}
	return out, nil
}

// mostUnpacked is how many bytes so many can become at best.
func mostUnpacked(codec, packed int64) int64 {
	switch codec {
	case 1:
		return 64*packed + 64
	case 2:
		return 1040*packed + 1024
	case 7:
		return 256*packed + 64
	}
	return 32768*packed + 131072 // blocks of one byte, of 128 KiB in four
}
