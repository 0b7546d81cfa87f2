package session

import (
	"bytes"
	"context"
	"encoding/json"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
)

// parentName is the file in a session that is the session of the document which has named its points.
const parentName = "parent.blossom"

// Subset says which rows of the data a session is of.
type Subset struct {
	Name       string          `json:"name"`
	Population int32           `json:"population,omitempty"`
	Rows       json.RawMessage `json:"rows"` // a set, as selections are kept
}

// SubsetOf describes the rows of data that is part of other data; nil: it is not. The error is one of encoding.
func SubsetOf(data *dataset.Dataset) (*Subset, error) {
	s := data.Subset
	if s == nil {
		return nil, nil
	}
	words := make([]uint64, (s.Points+63)/64)
	for _, row := range s.Rows {
		words[row/64] |= 1 << (row % 64)
	}
	rows, err := json.Marshal(selection.FromBits(s.Points, words))
	return &Subset{Name: s.Name, Population: s.Population, Rows: rows}, err
}

// Take returns its rows of the data that they were chosen of, which was read from files. parent is the session that
// has named them, as a file, or nil. The error is a Problem of the file called name, or ctx's.
func (s *Subset) Take(ctx context.Context, data *dataset.Dataset, parent []byte, name string) (*dataset.Dataset,
	error) {
	set, err := selection.Decode(s.Rows, data.Points, name)
	if err != nil {
		return nil, problem.Wrap(err, name, "put the data back that it was made of, or "+remedy,
			"its points cannot be found in the data: %s", problem.As(err).What)
	}
	out := dataset.Subset{Name: s.Name, Population: s.Population, Points: data.Points, Parent: parent}
	set.Each(0, data.Points, func(row int) { out.Rows = append(out.Rows, int32(row)) })
	return dataset.Among(ctx, data, out)
}

// Put puts a file beside the others in the container.
func (s *Session) Put(name string, file []byte) {
	if s.Beside == nil {
		s.Beside = map[string][]byte{}
	}
	s.Beside[name] = file
}

// Parent is the session of the document that has named the points, as a file; nil: there is none.
func (s *Session) Parent() []byte { return s.Beside[parentName] }

// keepSubset notes that the data of d are part of other data.
func (s *Session) keepSubset(d *state.Document) (err error) {
	if s.Data.Subset, err = SubsetOf(d.Data); s.Data.Subset != nil && d.Data.Subset.Parent != nil {
		s.Put(parentName, d.Data.Subset.Parent)
	}
	return err
}

// ReadParent reads a session that another has in it, whose data are the files of that. name is used in errors.
func ReadParent(file []byte, files []string, name string) (*Session, error) {
	s, err := Read(bytes.NewReader(file), name)
	if err != nil {
		return nil, err
	}
	if n := len(s.Data.More) + 1 + len(s.Data.Joined); n != len(files) {
		return nil, problem.New(name, remedy, "its whole data is in %d files, and it has %d", n, len(files))
	}
	s.Data.Path, s.Data.Beside = files[0], ""
	for i := range s.Data.More {
		s.Data.More[i].Path, s.Data.More[i].Beside = files[1+i], ""
	}
	for i := range s.Data.Joined {
		s.Data.Joined[i].Path, s.Data.Joined[i].Beside = files[1+len(s.Data.More)+i], ""
	}
	return s, nil
}
