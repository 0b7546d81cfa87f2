package arrow

import (
	"bytes"
	"encoding/binary"
	"io"
	"sync"

	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"

	"blossom/model/base/problem"
)

const (
	codecLZ4  = 0
	codecZstd = 1
)

// buffer reads and unpacks a buffer of a batch; it must have at least so many bytes.
func (f *File) buffer(b *batch, i int, least int64) ([]byte, error) {
	if i < 0 || i >= len(b.buffers) {
		return nil, damaged("a batch has too few parts")
	}
	off, n := b.buffers[i][0], b.buffers[i][1]
	if off < 0 || n < 0 || off > b.size || n > b.size-off {
		return nil, damaged("a part lies beyond its batch")
	}
	if n > f.memory/8 {
		return nil, tooLarge(n)
	}
	if b.codec >= 0 && n > 0 || n >= least {
		in := make([]byte, n)
		if k, err := f.r.ReadAt(in, b.body+off); k < len(in) {
			if err == nil || err == io.EOF {
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if b.codec >= 0 && n > 0 {
			var err error
			if in, err = f.unpack(b.codec, in); err != nil {
				return nil, err
			}
		}
		if int64(len(in)) >= least {
			return in, nil
		}
	}
	return nil, damaged("a part is shorter than its rows")
}

// place is where a part lies in a batch, and how many of its own it has, for texts in several.
func (b *batch) place(p part) (buffer, views int, err error) {
	if p.views > len(b.views) {
		return 0, 0, damaged("a batch has too few parts")
	}
	for i, k := range b.views[:min(p.views+1, len(b.views))] {
		if k < 0 || k > int64(len(b.buffers)) {
			return 0, 0, damaged("a batch has too few parts")
		}
		if i < p.views {
			buffer += int(k)
		} else {
			views = int(k)
		}
	}
	return p.buffer + buffer, views, nil
}

func tooLarge(n int64) error {
	return problem.New("", "write it in smaller batches", "has parts of %d MiB, more than the memory holds", n>>20)
}

// unpack unpacks a buffer, before which stands how long it becomes; -1: it is not packed.
func (f *File) unpack(codec int, in []byte) ([]byte, error) {
	if len(in) < 8 {
		return nil, damaged("a part is too short to be packed")
	}
	n := int64(binary.LittleEndian.Uint64(in))
	in = in[8:]
	if n == -1 {
		return in, nil
	}
	most := 256*int64(len(in)) + 64
	if codec == codecZstd {
		most = 32768*int64(len(in)) + 131072
	}
	if n < 0 || n > most {
		return nil, damaged("a part cannot become as long as it says")
	}
	if n > f.memory/8 {
		return nil, tooLarge(n)
	}
	out := make([]byte, n)
	if codec == codecLZ4 {
		z := lz4.NewReader(bytes.NewReader(in))
		if _, err := io.ReadFull(z, out); err != nil {
			return nil, damaged("a part cannot be unpacked")
		}
		return out, nil
	}
	z := decoders.Get().(*zstd.Decoder)
	defer decoders.Put(z)
	got, err := z.DecodeAll(in, out[:0:n])
	if err != nil || int64(len(got)) != n {
		return nil, damaged("a part cannot be unpacked")
	}
	return got, nil
}

var decoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // none of these options can fail
	}
	return z
}}
