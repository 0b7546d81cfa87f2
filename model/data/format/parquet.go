package format

import (
	"bytes"
	"context"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
	"blossom/model/data/encoding/parquet"
)

// The format of tables by columns in which data frames and embeddings are kept.
func init() {
	Register(Format{
		Name: "parquet", Title: "Apache Parquet", Extensions: []string{".parquet", ".pq"},
		Sniff: func(head []byte, ext string) int {
			switch {
			case bytes.HasPrefix(head, []byte(parquet.Magic)), bytes.HasPrefix(head, []byte(parquet.MagicSecret)):
				return 100
			case ext == ".parquet":
				return 30 // to say what is wrong with it
			}
			return 0
		},
		Read: reading(readParquet), Outline: reading(outlineParquet), Rows: true,
		Write: parquet.Write, Index: MayIndex, Headed: true, Loses: matricesLost,
	})
}

// openParquet opens a file as a table whose columns are read singly.
func openParquet(ctx context.Context, in *input) (frame.Table, error) {
	return parquet.Open(ctx, in.r, in.size, in.o.Memory)
}

func readParquet(ctx context.Context, in *input) (*dataset.Dataset, error) {
	return in.parquet(ctx, in.frameTable)
}

func outlineParquet(ctx context.Context, in *input) (*dataset.Dataset, error) {
	return in.parquet(ctx, in.frameOutline)
}

// parquet makes a table of a file, as read does of what lies in it column by column.
func (in *input) parquet(ctx context.Context,
	read func(context.Context, frame.Table) (*dataset.Dataset, error)) (*dataset.Dataset, error) {
	f, err := parquet.Open(ctx, in.r, in.size, in.o.Memory)
	if err != nil {
		return nil, in.named(err)
	}
	note, unread := dataset.ParseNote(f.Note(parquet.NoteKey))
	in.labels = note.LabelsOf()
	ds, err := read(ctx, f)
	if err != nil {
		return nil, in.named(err)
	}
	if ds.Images != nil {
		in.frameImages(ds.Images, openParquet)
	}
	if unread != nil {
		ds.Warnings = append(ds.Warnings, "what is noted of the columns is left out: it cannot be read")
	} else {
		ds.Warnings = append(ds.Warnings, note.Tell(ds)...)
	}
	return ds, nil
}
