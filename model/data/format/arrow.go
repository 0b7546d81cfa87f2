package format

import (
	"bytes"
	"context"
	"encoding/binary"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/arrow"
)

// The format in which programs hand tables to each other: files, which Feather are too, and streams.
func init() {
	Register(Format{
		Name: "arrow", Title: "Apache Arrow, Feather", Extensions: []string{".arrow", ".feather", ".arrows", ".ipc"},
		Sniff: func(head []byte, ext string) int {
			switch {
			case bytes.HasPrefix(head, []byte(arrow.Magic)):
				return 100
			case arrowStream(head):
				return 90
			case ext == ".arrow" || ext == ".feather" || ext == ".arrows":
				return 30 // to say what is wrong with it
			}
			return 0
		},
		Read: reading(readArrow),
	})
}

// arrowStream says whether a file begins as a stream does: a mark, the length of a message, and where in it its table
// stands.
func arrowStream(head []byte) bool {
	if len(head) < 16 || binary.LittleEndian.Uint32(head) != 0xffffffff {
		return false
	}
	length, at := binary.LittleEndian.Uint32(head[4:]), binary.LittleEndian.Uint32(head[8:])
	return length%8 == 0 && length < 1<<28 && at >= 4 && at < length
}

func readArrow(ctx context.Context, in *input) (*dataset.Dataset, error) {
	f, err := arrow.Open(ctx, in.r, in.size, in.o.Memory)
	if err != nil {
		return nil, in.named(err)
	}
	ds, err := in.frameTable(ctx, f)
	return ds, in.named(err)
}
