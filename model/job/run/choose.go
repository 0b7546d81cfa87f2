package run

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"blossom/model/base/matrix"
	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// Given are landmarks that come from files, if there are any: two matrices, or a file of landmarks.
type Given struct {
	hd   *dataset.Dataset // the table of --landmarks-hd, for the names of its columns
	set  *landmark.Set    // nil: landmarks are to be trained
	file *landmark.File   // the file of --landmarks
	path string           // the path that hd or file was read from
}

// GivenFile are landmarks of a file that has been read, or made.
func GivenFile(f *landmark.File) Given {
	return Given{set: f.Set, file: f, path: "this run"}
}

// Fills says whether gaps were filled where the landmarks were trained, as they are in any data then.
func (g Given) Fills() bool {
	return g.file != nil && slices.ContainsFunc(g.file.Mixes, func(m landmark.FileMix) bool {
		return transform.Mix{Op: transform.ID(m.Op)}.Fills()
	})
}

// Given reads the landmarks. They are read before the input, because they are small and can be wrong.
func (s *Origin) Given(ctx context.Context) (g Given, err error) {
	switch {
	case s.Made != nil:
		g = Given{set: s.Made.Set, file: s.Made, path: s.MadeOf}
	case s.LandmarksHD != "":
		g.path = s.LandmarksHD
		g.hd, g.set, err = s.readMatrices(ctx)
	case s.Landmarks != "":
		g.path = s.Landmarks
		if g.file, err = s.readTrained(); err == nil {
			g.set = g.file.Set
		}
	}
	return g, err
}

// Chosen is what the flags mean for a table.
type Chosen struct {
	Cols []int // the columns of the map, in the order of the codebook
	Spec transform.Spec
	// Landmarks are those that were given; nil: they are to be trained.
	Landmarks *landmark.File
	Notes     []string // choices made on the user's behalf, in words
}

// Choose picks the columns and their transforms, for the landmarks at hand.
func (s *Space) Choose(ctx context.Context, ds *dataset.Dataset, g Given) (c Chosen, err error) {
	of := ""
	switch set := g.set; {
	case g.hd != nil:
		of = "input is taken as it is with --landmarks-hd"
		if c.Cols, c.Spec, err = s.givenColumns(ctx, ds, g); err == nil {
			set, err = toZero(g.hd, set, c.Cols, c.Spec)
		}
		c.Landmarks = &landmark.File{Set: set, Method: "given"}
	case g.file != nil:
		of = "landmarks were trained on values that are not"
		c.Cols, c.Spec, err = s.trainedColumns(ctx, ds, g.file, "the landmarks in "+g.path)
		c.Landmarks = g.file
	default:
		c.Cols, c.Spec, err = s.ownColumns(ctx, ds)
	}
	if err != nil {
		return c, err
	}
	filled := slices.ContainsFunc(c.Spec.Mixes, transform.Mix.Fills)
	if m := transform.Filling(ds, c.Cols, s.Fill); !filled && len(m.Cols) > 0 {
		c.Spec.Mixes = append([]transform.Mix{m}, c.Spec.Mixes...)
	}
	taken := ds.Among(c.Cols)
	for i := range c.Spec.Columns {
		if taken[i] {
			c.Spec.Columns[i].Use = transform.InMap
		} else if c.Spec.Columns[i].Use == transform.InMap {
			c.Spec.Columns[i].Use = transform.ColourOnly
		}
	}
	c.Notes = s.spaceNotes(ds, c, of)
	return c, nil
}

// spaceNotes says what was chosen on the user's behalf of how columns become dimensions. of is where landmarks come
// from, "" if they are trained here.
func (s *Space) spaceNotes(ds *dataset.Dataset, c Chosen, of string) []string {
	notes := append(s.compensationNotes(ds, c.Spec, c.Cols, of), s.channelNotes(ds, c.Spec, c.Cols)...)
	if note := transform.FillingNote(ds, c.Spec); note != "" {
		notes = append(notes, note)
	}
	if of == "" {
		notes = append(notes, s.scaleNotes(ds, c)...)
		if left := ds.LeftOut(c.Cols, false); left != "" && s.Columns == "" {
			notes = append(notes, "left out of the map: "+left+"; --columns takes them in")
		}
	}
	return notes
}

// Notes is what there is to say of the points of a map. lack is what those have not that have a missing value.
func (p *Points) Notes(lack string) []string {
	notes := slices.Clone(p.Data.Warnings)
	if p.Data.Total > p.Data.Points {
		notes = append(notes, dataset.SampleOf(int64(p.Data.Points), int64(p.Data.Total), "points"))
	}
	notes = append(notes, p.lost()...)
	if n := p.Table.Invalid; n > 0 && lack != "" {
		notes = append(notes, fmt.Sprintf("%d of %d points have a missing or infinite value and no %s", n,
			p.Data.Points, lack))
	}
	return notes
}

// Like brings other data into the space of the points: the same columns, by name, with the same transforms and scales.
// compensation is what is said of theirs. It also says what was chosen on the user's behalf.
func (p *Points) Like(ctx context.Context, ds *dataset.Dataset, compensation string,
	report Report) (*Points, []string, error) {
	f := p.File(&landmark.Set{Codebook: matrix.New(0, p.Table.X.Cols)})
	s := Space{Compensation: compensation}
	cols, spec, err := s.trainedColumns(ctx, ds, f, "the map of the points in "+p.Data.Path)
	if err != nil {
		return nil, nil, err
	}
	of := PointsOf
	if p.Part {
		of = PartOf
	}
	out, err := of(ctx, ds, cols, spec, nil, report)
	return out, s.spaceNotes(ds, Chosen{Cols: cols, Spec: spec}, ""), err
}

// lost says where float32 does not hold what is different in the data.
func (p *Points) lost() []string {
	lost := p.Table.Lost(cmp.Or(p.few, p.Data))
	if len(lost) == 0 {
		return nil
	}
	names := p.Data.Columns[lost[0]].Name
	if more := len(lost) - 1; more > 0 {
		names += fmt.Sprintf(" and %d more", more)
	}
	return []string{"values that differ are taken for equal in " + names + ", as 7 digits are kept of each: " +
		"bring them near zero with --transform linear:FACTOR:OFFSET, or leave --transform out"}
}

// scaleNotes says whether the columns of a map that is trained here were scaled without being asked to, or might be.
func (s *Space) scaleNotes(ds *dataset.Dataset, p Chosen) []string {
	plain := p.Spec.Clone()
	for _, c := range p.Cols {
		plain.Columns[c].Op = transform.None
	}
	share, few := transform.WantsScale(ds, plain, p.Cols)
	switch {
	case !few || s.Scale:
		return nil
	case p.Spec.Scale:
		return []string{"scaled to unit deviation because " + share.Text(ds) +
			"; --scale=none leaves columns as they are"}
	case slices.ContainsFunc(p.Cols, func(c int) bool { return p.Spec.Columns[c].Op != transform.None }):
		return nil
	}
	return []string{share.Text(ds) + " and makes the map almost alone; --scale divides columns by their deviation"}
}
