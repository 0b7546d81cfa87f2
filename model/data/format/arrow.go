package format

import (
	"bytes"
	"context"
	"encoding/binary"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/arrow"
	"blossom/model/data/encoding/frame"
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
		Read: reading(readArrow), Outline: reading(outlineArrow), Rows: true,
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
	return in.arrow(ctx, in.frameTable)
}

func outlineArrow(ctx context.Context, in *input) (*dataset.Dataset, error) {
	return in.arrow(ctx, in.frameOutline)
}

// arrow makes a table of a file, as read does of what lies in it column by column.
func (in *input) arrow(ctx context.Context,
	read func(context.Context, frame.Table) (*dataset.Dataset, error)) (*dataset.Dataset, error) {
	f, err := arrow.Open(ctx, in.r, in.size, in.o.Memory)
	if err != nil {
		return nil, in.named(err)
	}
	ds, err := read(ctx, f)
	return ds, in.named(err)
}
