package job

import (
	"context"

	"blossom/model/data/dataset"
)

// Sampled wants the rows of the data as they are, of which somebody takes some: it computes nothing.
type Sampled struct {
	Made *dataset.Dataset `json:"-"` // the data, perhaps an outline
}

func init() {
	Register(Kind{ID: "sampled", New: func() Want { return &Sampled{} }, Plain: true,
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Sampled).Make }})
}

// What returns the ID of the kind.
func (s *Sampled) What() string { return "sampled" }

// Paths are the files that it names.
func (s *Sampled) Paths() (written, read []*string) { return nil, nil }

// Check says what is wrong with the wish.
func (s *Sampled) Check() error { return nil }

// Make looks at the data.
func (s *Sampled) Make(_ context.Context, w *Work) error {
	s.Made = w.table
	return nil
}
