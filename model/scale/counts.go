package scale

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/pyramid"
)

// PyramidFolder is the name of the folder with how many points of all parts lie where.
const PyramidFolder = "pyramid"

// frameOf is the square of the map of a job that points are counted in; nil: the map is not flat.
func frameOf(j *job.Job) *pyramid.Frame {
	l, err := landmark.Read(bytes.NewReader(j.State["landmarks"].Value), "")
	if err != nil || l.Set.Pos.Cols != 2 {
		return nil
	}
	f, ok := pyramid.FrameOf(l.Set.Pos.Data)
	if !ok {
		return nil
	}
	return &f
}

// counting has the points of a part counted as they are made; nil: they are not.
func (p *Plan) counting(want *job.Embedding) *pyramid.Counts {
	if p.Frame == nil {
		return nil
	}
	c := pyramid.NewCounts(*p.Frame)
	want.Seen = func(coordinates *dataset.Dataset) {
		c.Add(coordinates.Columns[0].Values, coordinates.Columns[1].Values)
	}
	return c
}

// countsOf is where the counts of a part's points are written.
func (p *Plan) countsOf(part int) string {
	return filepath.Join(p.folder, partsFolder, fmt.Sprintf("%06d.cells", part))
}

// saveCounts writes the counts of a part, and notes them in its receipt.
func (p *Plan) saveCounts(r *Receipt, c *pyramid.Counts) error {
	if c == nil {
		return nil
	}
	if n := c.Points(); n != int64(r.Rows) {
		return problem.New(p.File(r.Part), "report this", "has %d rows, of which %d were counted", r.Rows, n)
	}
	h := sha256.New()
	err := format.AtomicWrite(p.countsOf(r.Part), func(w io.Writer) error {
		return c.Few().Write(io.MultiWriter(w, h))
	})
	r.Counts, r.Outside = hex.EncodeToString(h.Sum(nil)), int(c.Outside)
	return err
}

// hasCounts says whether the counts of a part are there, if it has some. whole looks at their bytes.
func (p *Plan) hasCounts(ctx context.Context, r Receipt, whole bool) bool {
	if p.Frame == nil {
		return true
	}
	if !whole {
		_, err := os.Stat(p.countsOf(r.Part))
		return err == nil && r.Counts != ""
	}
	sum, _, err := p.sums.hash(ctx, p.countsOf(r.Part))
	return err == nil && sum == r.Counts
}

// writtenCounts are the counts of a part as a file of the folder; none where points are not counted.
func writtenCounts(p *Plan, r Receipt) []Kept {
	if p.Frame == nil {
		return nil
	}
	return []Kept{{filepath.Join(partsFolder, filepath.Base(p.countsOf(r.Part))), -1, r.Counts}}
}

// joinCounts adds the counts of the parts that are there, and writes the pyramid of them.
func (p *Plan) joinCounts(ctx context.Context, there []Receipt) error {
	if p.Frame == nil {
		return nil
	}
	all := pyramid.NewCounts(*p.Frame)
	for _, r := range there {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := p.mergeCounts(all, r); err != nil {
			return err
		}
	}
	return all.Write(ctx, filepath.Join(p.folder, PyramidFolder))
}

// mergeCounts adds the counts of a part.
func (p *Plan) mergeCounts(all *pyramid.Counts, r Receipt) error {
	path := p.countsOf(r.Part)
	f, err := plain.Open(path)
	if err != nil {
		return plain.Problem(err, path)
	}
	defer f.Close()
	inside, err := all.MergeFrom(f)
	nowhere := int64(r.Rows) - inside - int64(r.Outside)
	if err != nil || nowhere < 0 {
		return problem.New(path, "make it again: blossom resume "+p.folder, "is damaged")
	}
	all.Outside, all.Nowhere = all.Outside+int64(r.Outside), all.Nowhere+nowhere
	return nil
}
