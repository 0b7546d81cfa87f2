package scale

import (
	"context"
	"encoding/binary"
	"io"
	"os"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/job"
)

// Columns of a training before all else: each part tells of those of a file, and all parts are put one behind the other
// in one file, each after its length, after which none is needed any more.
func init() {
	RegisterKind(Kind{ID: (&job.Surveyed{}).What(), Extension: columnsExt, Agrees: true, Step: "columns",
		Check: func(*Wish) error { return nil },
		Copy:  func(w job.Want) job.Want { s := *w.(*job.Surveyed); return &s },
		Told:  func(want job.Want, first int64) { want.(*job.Surveyed).First = first },
		Prepare: func(p *Plan, _ *Wish) {
			for _, j := range p.Jobs {
				j.Wanted[0].(*job.Surveyed).All = p.Rows()
			}
		},
		Making: func(_ *Plan, want job.Want) Making { return columnsTold{want.(*job.Surveyed)} },
		Merge: func(ctx context.Context, p *Plan, there []Receipt, m *Manifest) error {
			return p.writeMerged(m, func(w io.Writer) error {
				for _, r := range there {
					if err := appendColumns(ctx, p, w, r); err != nil {
						return err
					}
				}
				return nil
			})
		},
		Merged: hasMerged})
}

const columnsExt = ".columns"

// columnsTold is a part of them.
type columnsTold struct{ want *job.Surveyed }

func (c columnsTold) Rows(*job.Work) (all, invalid int) { return c.want.Made, 0 }

func (c columnsTold) Keep(context.Context, *job.Work, *Receipt) error { return nil }

// appendColumns writes what a part tells, after its length.
func appendColumns(ctx context.Context, p *Plan, w io.Writer, r Receipt) error {
	f, err := plain.Open(p.File(r.Part))
	if err != nil {
		return plain.Problem(err, p.File(r.Part))
	}
	defer f.Close()
	if r.Size > 0 {
		if told, err := dataset.ReadSurveyed(f, 0, r.Size); err != nil || told.Points() != r.Rows {
			return problem.New(p.File(r.Part), "make it again: blossom resume "+p.folder, "is damaged")
		}
	}
	if err := binary.Write(w, binary.LittleEndian, r.Size); err != nil {
		return err
	}
	_, err = io.Copy(w, io.LimitReader(reader{ctx, f}, r.Size))
	return err
}

// columnsIn are what the merged file at path tells of each shard, nil where that tells nothing. The error is a Problem.
func columnsIn(path string, shards []Shard) (out []*dataset.Surveyed, err error) {
	bad := problem.New(path, "remove its folder, and go on", "is damaged")
	st, err := os.Stat(path)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	file, at := fileAt(path), int64(0)
	for _, s := range shards {
		var length [8]byte
		if _, err := file.ReadAt(length[:], at); err != nil {
			return nil, bad
		}
		size := int64(binary.LittleEndian.Uint64(length[:]))
		if at += int64(len(length)); size < 0 || size > st.Size()-at {
			return nil, bad
		}
		var told *dataset.Surveyed
		if size > 0 {
			if told, err = dataset.ReadSurveyed(file, at, size); err != nil || told.Points() != s.Rows {
				return nil, bad
			}
		}
		out, at = append(out, told), at+size
	}
	return out, nil
}

// fileAt is a file that is opened whenever some of it is read: it may be removed meanwhile.
type fileAt string

// ReadAt reads some of it. The error is a Problem.
func (f fileAt) ReadAt(b []byte, at int64) (int, error) {
	file, err := plain.Open(string(f))
	if err != nil {
		return 0, plain.Problem(err, string(f))
	}
	defer file.Close()
	n, err := file.ReadAt(b, at)
	if n < len(b) {
		return n, plain.Problem(err, string(f))
	}
	return n, nil
}
