package parquet

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/snappy"
	"github.com/klauspost/compress/zstd"
	"github.com/pierrec/lz4/v4"
)

const (
	codecNone = 0
	codecZstd = 6
)

var codecNames = map[int64]string{3: "LZO", 4: "Brotli", 5: "LZ4 in the old framing"}

func codecName(codec int64) string {
	if name := codecNames[codec]; name != "" {
		return name
	}
	return fmt.Sprintf("something unknown (codec %d)", codec)
}

// unpacking are the ways of unpacking bytes into all of out.
var unpacking = map[int64]func(in, out []byte) error{
	codecNone: func(in, out []byte) error {
		if len(in) != len(out) {
			return fmt.Errorf("%d bytes where %d belong", len(in), len(out))
		}
		copy(out, in)
		return nil
	},
	1: func(in, out []byte) error {
		n, err := snappy.DecodedLen(in)
		if err != nil || n != len(out) {
			return fmt.Errorf("%d bytes where %d belong", n, len(out))
		}
		_, err = snappy.Decode(out, in)
		return err
	},
	2: func(in, out []byte) error {
		z, err := gzip.NewReader(bytes.NewReader(in))
		if err != nil {
			return err
		}
		if _, err := io.ReadFull(z, out); err != nil {
			return err
		}
		var one [1]byte
		if n, err := z.Read(one[:]); n > 0 || err != io.EOF {
			return fmt.Errorf("more than %d bytes", len(out))
		}
		return nil
	},
	codecZstd: func(in, out []byte) error {
		z := decoders.Get().(*zstd.Decoder)
		defer decoders.Put(z)
		b, err := z.DecodeAll(in, out[:0:len(out)])
		if err == nil && len(b) != len(out) {
			err = fmt.Errorf("%d bytes where %d belong", len(b), len(out))
		}
		return err
	},
	7: func(in, out []byte) error {
		n, err := lz4.UncompressBlock(in, out)
		if err == nil && n != len(out) {
			err = fmt.Errorf("%d bytes where %d belong", n, len(out))
		}
		return err
	},
}

var decoders = sync.Pool{New: func() any {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true),
		zstd.WithDecodeAllCapLimit(true))
	if err != nil {
		panic(err) // none of these options can fail
	}
	return z
}}
