package job

import (
	"context"
	"io"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/clusters/linkage"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/job/export"
	"blossom/model/job/run"
	"blossom/model/landmarks/train"
)

// ranges is what writes clusters of landmarks for the points of an outline; nil where all rows are needed at once.
func (l *Labels) ranges() func(context.Context, *Work) error {
	if l.Linked != nil && l.bare() {
		return l.makeLinked
	}
	if !l.OfLandmarks || l.Output == "" || l.Append || l.Each != "" || !format.WritesRanges(l.Output) {
		return nil
	}
	return l.makeByRanges
}

// follow puts points into the clusters of their landmarks.
func (c *Clustered) follow(ctx context.Context, w *Work) (err error) {
	c.Notes = slices.Concat(w.Points.Notes("cluster"), c.Notes)
	if c.Cut == nil {
		return nil
	}
	c.Landmarks, c.Noise = c.Labels, 0
	c.Labels, err = c.labelsOf(ctx, w.Points.Table.X, w)
	return err
}

// labelsOf are the clusters of some points, by their nearest landmarks.
func (c *Clustered) labelsOf(ctx context.Context, x matrix.Matrix32, w *Work) ([]int32, error) {
	labels, near := make([]int32, x.Rows), make([]int32, x.Rows)
	err := train.Nearest(ctx, x, w.Landmarks.Set.Codebook, func(point, landmark int, _ float64) {
		near[point] = int32(landmark)
	}, nil)
	if c.Sizes == nil {
		c.Sizes = make([]int64, c.Cut.Clusters)
	}
	for i, landmark := range near {
		if labels[i] = linkage.Noise; landmark < 0 {
			continue
		}
		if labels[i] = c.Landmarks[landmark]; labels[i] == linkage.Noise {
			c.Noise++
		} else {
			c.Sizes[labels[i]]++
		}
	}
	return labels, err
}

// makeByRanges clusters the landmarks, and writes the clusters of points as they go by.
func (l *Labels) makeByRanges(ctx context.Context, w *Work) error {
	if l.WithData && !alikeInRanges(w.table) {
		return dataset.ErrWhole
	}
	if err := spaceByRanges(ctx, w); err != nil {
		return run.Wrong(ctx, err)
	}
	made, err := l.cluster(ctx, w)
	if err != nil {
		return err
	}
	made.Landmarks, made.Labels, made.Noise = made.Labels, nil, 0
	if err := made.saveHierarchy(ctx, l, w); err != nil {
		return err
	}
	var said []string
	if l.bare() {
		err = l.writeBare(ctx, w, made)
	} else {
		said, err = l.writeRanges(ctx, w, made)
	}
	if err != nil {
		return err
	}
	l.Made = made
	made.Notes = slices.Concat(w.notes, w.Points.Notes("cluster"), made.Notes, said)
	w.Notes = append(w.Notes, made.Notes...)
	return nil
}

// eachLabels calls each with the labels of the points as they go by.
func (l *Labels) eachLabels(ctx context.Context, w *Work, c *Clustered,
	each func(p *run.Points, labels []int32) error) error {
	done := 0
	return w.Points.EachRange(ctx, l.WithData, func(p *run.Points) error {
		labels, err := c.labelsOf(ctx, p.Table.X, w)
		if err != nil {
			return err
		}
		if done += len(labels); w.Options.Report != nil {
			w.Options.Report("labelling", int64(done), int64(w.table.Points))
		}
		return each(p, labels)
	})
}

// writeBare writes them as whole numbers.
func (l *Labels) writeBare(ctx context.Context, w *Work, c *Clustered) error {
	return w.Files.Write(l.Output, func(to io.Writer) error {
		if err := linkage.BeginLabels(to, w.table.Points); err != nil {
			return err
		}
		return l.eachLabels(ctx, w, c, func(_ *run.Points, labels []int32) error {
			return linkage.GoOnLabels(to, labels)
		})
	})
}

// writeRanges writes them as a table. It returns what there is to say.
func (l *Labels) writeRanges(ctx context.Context, w *Work, c *Clustered) (said []string, err error) {
	rows := &export.Rows{Data: w.table, Paint: w.paint}
	notes := &said
	lost, err := rows.SaveRanges(ctx, &w.Files, l.Output, func(put func(*export.Rows) error) error {
		return l.eachLabels(ctx, w, c, func(p *run.Points, labels []int32) (err error) {
			of := rows.Like(p.Data)
			if of.Made, err = dataset.FromColumns(ctx, "clusters", []dataset.Column{c.columnOf(labels)}); err != nil {
				return err
			}
			if of.Before, err = l.Beside.data(ctx, p, notes); err != nil {
				return err
			}
			notes = &[]string{} // one range says it for all
			return put(of)
		})
	})
	return append(said, lost...), err
}
