package hdf5

import (
	"encoding/binary"
	"fmt"

	"github.com/klauspost/compress/zstd"

	"blossom/model/base/problem"
	"blossom/model/data/encoding/inflate"
)

// filters are what the chunks of a dataset went through, in that order.
type filters []filter

type filter struct {
	id     int
	values []uint32
}

const (
	filterDeflate  = 1
	filterShuffle  = 2
	filterFletcher = 3
	filterLZF      = 32000
	filterZstd     = 32015
)

// filterNames are those of filters that are not read.
var filterNames = map[int]string{4: "SZIP", 5: "N-bit", 6: "scale-offset", 307: "bzip2", 32001: "Blosc", 32004: "LZ4",
	32008: "bitshuffle", 32013: "ZFP", 32017: "SZ", 32026: "Blosc2"}

func (f *File) pipeline(body []byte) (filters, error) {
	c := f.over(body)
	version, n := c.u(1), c.int(1)
	if version == 1 {
		c.skip(6)
	} else if version != 2 {
		return nil, damaged("packing has no known version")
	}
	out := filters{}
	for range min(n, 32) {
		one := filter{id: c.int(2)}
		name := 0
		if version == 1 || one.id >= 256 {
			name = c.int(2)
		}
		c.skip(2) // whether it may have been left out: each chunk says so itself
		count := c.int(2)
		title := symbol(c.take(name))
		for range min(count, len(c.b)/4) {
			one.values = append(one.values, uint32(c.u(4)))
		}
		if version == 1 && count&1 != 0 {
			c.skip(4)
		}
		if err := c.err("packing"); err != nil {
			return nil, err
		}
		switch one.id {
		case filterDeflate, filterShuffle, filterFletcher, filterLZF, filterZstd:
		default:
			if known := filterNames[one.id]; known != "" {
				title = known
			}
			if title == "" {
				title = "something"
			}
			return nil, problem.New("", "write it again with gzip",
				"is compressed with %.40s (filter %d), which is not read here",
				title, one.id)
		}
		out = append(out, one)
	}
	return out, nil
}

// unpacker undoes filters. Each goroutine has its own.
type unpacker struct {
	filters filters
	size    int // bytes of an element
	a, b    []byte
	z       inflate.Unpacker
	s       *zstd.Decoder
}

// mostPacked is how many times smaller packing can make a chunk at best: more is a promise that takes memory.
const mostPacked = 1040

// unpack undoes the filters of a chunk, of which mask leaves some out: it becomes n bytes. The result may be in.
func (u *unpacker) unpack(in []byte, mask uint64, n int) ([]byte, error) {
	for i := len(u.filters) - 1; i >= 0; i-- {
		if mask>>i&1 != 0 {
			continue
		}
		var err error
		switch f := u.filters[i]; f.id {
		case filterDeflate:
			in, err = u.deflate(in, n+u.slack(i))
		case filterShuffle:
			in = u.unshuffle(in, f)
		case filterFletcher:
			in, err = verified32(in)
		case filterLZF:
			in, err = u.unLZF(in, n+u.slack(i))
		case filterZstd:
			in, err = u.unzstd(in, n+u.slack(i))
		}
		if err != nil {
			return nil, err
		}
	}
	if len(in) != n {
		return nil, fmt.Errorf("%d bytes where %d belong", len(in), n)
	}
	return in, nil
}

// slack is how many bytes more than those of the chunk it has before filter i: checksums.
func (u *unpacker) slack(i int) (n int) {
	for _, f := range u.filters[:i] {
		if f.id == filterFletcher {
			n += 4
		}
	}
	return n
}

// other gives the buffer that in does not lie in, n bytes long.
func (u *unpacker) other(n int) []byte {
	u.a, u.b = u.b, u.a
	if cap(u.a) < n {
		u.a = make([]byte, n)
	}
	return u.a[:n]
}

func (u *unpacker) deflate(in []byte, n int) ([]byte, error) {
	if n/mostPacked > len(in) {
		return nil, fmt.Errorf("%d bytes cannot become %d", len(in), n)
	}
	out := u.other(n)
	return out, u.z.Zlib(out, in)
}

// unshuffle puts the bytes of each element together again, of which all first ones lie first, then all second ones.
func (u *unpacker) unshuffle(in []byte, f filter) []byte {
	size := u.size
	if len(f.values) > 0 && f.values[0] > 0 && f.values[0] < 1<<20 {
		size = int(f.values[0])
	}
	n := len(in) / size
	if size < 2 || n < 2 {
		return in
	}
	out := u.other(len(in))
	switch size {
	case 2:
		for i := range n {
			out[2*i], out[2*i+1] = in[i], in[n+i]
		}
	case 4:
		p, q, r, s := in[:n], in[n:2*n], in[2*n:3*n], in[3*n:4*n]
		for i := range n {
			binary.LittleEndian.PutUint32(out[4*i:], uint32(p[i])|uint32(q[i])<<8|uint32(r[i])<<16|uint32(s[i])<<24)
		}
	default:
		for k := range size {
			for i, b := range in[k*n : (k+1)*n] {
				out[i*size+k] = b
			}
		}
	}
	copy(out[n*size:], in[n*size:])
	return out
}

// verified32 checks the checksum behind a chunk and takes it away. HDF5 before 1.6.3 swapped its bytes.
func verified32(in []byte) ([]byte, error) {
	n := len(in) - 4
	if n < 0 {
		return nil, fmt.Errorf("a checksum is missing")
	}
	said, sum := binary.LittleEndian.Uint32(in[n:]), fletcher32(in[:n])
	swapped := sum>>8&0xff00ff | sum&0xff00ff<<8
	if said != sum && said != swapped {
		return nil, fmt.Errorf("its checksum does not fit")
	}
	return in[:n], nil
}

func (u *unpacker) unzstd(in []byte, n int) ([]byte, error) {
	if u.s == nil {
		s, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
			zstd.WithDecoderMaxMemory(uint64(max(n, 1<<20))))
		if err != nil {
			return nil, err
		}
		u.s = s
	}
	out, err := u.s.DecodeAll(in, u.other(n)[:0])
	if err != nil {
		return nil, err
	}
	return out, nil
}

func (u *unpacker) close() {
	if u.s != nil {
		u.s.Close()
	}
}
