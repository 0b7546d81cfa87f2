package exchange

import (
	"context"
	"io"

	"blossom/model/data/format"
)

func init() {
	Register(Kind{ID: "json", Title: "blossom (.json)", Ending: ".json", Order: 1,
		Help: "The landmarks and how points come into their space: for blossom embed --landmarks, and for new samples",
		Write: func(_ context.Context, path string, f *File) ([]string, error) {
			return []string{path}, format.AtomicWrite(path, func(w io.Writer) error { return f.File.Write(w) })
		}})
}
