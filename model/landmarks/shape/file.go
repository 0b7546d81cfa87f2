package shape

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/base/step"
)

// A shape is saved by itself as a JSON object, which docs/shapes.md describes.
const (
	fileFormat  = "blossom shape"
	fileVersion = 1
	fileRemedy  = "give a file that was saved by the Draw map tool, or write one as docs/shapes.md says"
)

type disk struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Kind    string      `json:"kind"`
	Packing string      `json:"packing,omitempty"`
	Spacing *float64    `json:"spacing,omitempty"`
	Frame   diskFrame   `json:"frame"`
	Values  step.Values `json:"values,omitempty"`
	Path    [][]float64 `json:"path,omitempty"`
	Piece   *diskPiece  `json:"piece,omitempty"`
	Mask    []string    `json:"mask,omitempty"` // rows from the top, # within and . without
}

type diskFrame struct {
	Centre []float64   `json:"centre"`
	Size   []float64   `json:"size,omitempty"` // left out: what the values ask for
	Turn   float64     `json:"turn,omitempty"` // degrees
	Axes   [][]float64 `json:"axes,omitempty"` // in 3D, instead of turn
}

type diskPiece struct {
	Positions [][]float64 `json:"positions"`
	Edges     [][]int32   `json:"edges,omitempty"`
}

// Write writes the file of a shape that can be made.
func (s Shape) Write(w io.Writer) error {
	if _, err := s.Net(); err != nil {
		return err
	}
	d := disk{Format: fileFormat, Version: fileVersion, Kind: s.Kind, Values: s.Values,
		Frame: diskFrame{Centre: s.Frame.Centre[:], Size: s.Frame.Size[:]}}
	k, _ := ByID(s.Kind)
	if k.Packs {
		d.Packing = s.Packing.String()
	}
	if k.Spaced {
		d.Spacing = &s.Spacing
	}
	if axes := Turned(s.Frame.Turn()); near(axes, s.Frame.Axes) {
		d.Frame.Turn = s.Frame.Turn()
	} else {
		for _, a := range s.Frame.Axes {
			d.Frame.Axes = append(d.Frame.Axes, append([]float64(nil), a[:]...))
		}
	}
	for _, p := range s.Path {
		d.Path = append(d.Path, []float64{p[0], p[1]})
	}
	if s.Piece != nil {
		d.Piece = &diskPiece{}
		for _, p := range s.Piece.At {
			d.Piece.Positions = append(d.Piece.Positions, append([]float64(nil), p[:]...))
		}
		for _, e := range s.Piece.Edges {
			d.Piece.Edges = append(d.Piece.Edges, []int32{e[0], e[1]})
		}
	}
	if m := s.Mask; m != nil {
		for y := range m.H {
			row := make([]byte, m.W)
			for x := range row {
				row[x] = '.'
				if m.At(x, y) {
					row[x] = '#'
				}
			}
			d.Mask = append(d.Mask, string(row))
		}
	}
	text, err := json.MarshalIndent(d, "", " ")
	if err != nil {
		return problem.Wrap(err, "", "report this", "the shape cannot be written: %v", err)
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

func near(a, b [3]Vec) bool {
	for i := range a {
		for c := range a[i] {
			if math.Abs(a[i][c]-b[i][c]) > 1e-12 {
				return false
			}
		}
	}
	return true
}

// Open reads the file of a shape.
func Open(path string) (Shape, error) {
	info, err := os.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		return Shape{}, problem.New(path, fileRemedy, "not a regular file")
	}
	if err == nil && info.Size() > maxFile {
		return Shape{}, problem.New(path, fileRemedy, "not a shape: the file has %d MB", info.Size()>>20)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return Shape{}, plain.Problem(err, path)
	}
	return Read(bytes.NewReader(text), path)
}

// Read reads what Write has written, or somebody by hand; name is used in errors, which are Problems. What it returns
// can be made: Net of it is no error.
func Read(r io.Reader, name string) (Shape, error) {
	d, err := readDisk(r, name)
	if err != nil {
		return Shape{}, err
	}
	k, ok := ByID(d.Kind)
	if !ok {
		var ids []string
		for _, k := range Kinds() {
			ids = append(ids, k.ID)
		}
		return Shape{}, problem.New(name, "use "+problem.OneOf(ids...), "there is no shape %q", d.Kind)
	}
	s, err := d.shape(k, name)
	if err != nil {
		return Shape{}, err
	}
	if _, err := s.Net(); err != nil {
		p := problem.As(err)
		return Shape{}, problem.Wrap(err, name, p.Remedy, "%s", p.What)
	}
	return s, nil
}

// readDisk reads the file of a shape of a version that this program knows.
func readDisk(r io.Reader, name string) (*disk, error) {
	from := json.NewDecoder(r)
	from.DisallowUnknownFields()
	d := &disk{}
	err := from.Decode(d)
	switch {
	case d.Format == fileFormat && d.Version > fileVersion:
		return nil, problem.New(name, "use a newer blossom", "a shape of version %d, this program knows %d", d.Version,
			fileVersion)
	case err != nil:
		return nil, problem.Wrap(err, name, fileRemedy, "not the file of a shape (%s)", jsonWords(err))
	case d.Format != fileFormat:
		return nil, problem.New(name, fileRemedy, "not the file of a shape")
	case d.Version < 1:
		return nil, problem.New(name, fileRemedy, "a shape of version %d: the first was 1", d.Version)
	}
	if _, err := from.Token(); err != io.EOF {
		return nil, problem.New(name, "remove what follows, or "+fileRemedy, "something follows the shape")
	}
	return d, nil
}

// shape returns the shape of kind k that d describes, whether or not it can be made.
func (d *disk) shape(k Kind, name string) (s Shape, err error) {
	s.Kind, s.Spacing, s.Values = d.Kind, 1, d.Values
	if d.Spacing != nil {
		s.Spacing = *d.Spacing
	}
	switch d.Packing {
	case "", Hexagonal.String():
	case Square.String():
		s.Packing = Square
	default:
		return s, problem.New(name, "use hexagonal or square", "a packing %q", d.Packing)
	}
	if err := k.check(d.Values, name); err != nil {
		return s, err
	}
	if s.Frame, err = d.Frame.frame(name); err != nil {
		return s, err
	}
	if len(d.Path) > MaxPath {
		return s, problem.New(name, fileRemedy, "its path has %d points, more than %d", len(d.Path), MaxPath)
	}
	for i, p := range d.Path {
		if len(p) != 2 {
			return s, problem.New(name, fileRemedy, "point %d of its path has %d coordinates", i+1, len(p))
		}
		s.Path = append(s.Path, [2]float64{p[0], p[1]})
	}
	if s.Piece, err = d.Piece.piece(name); err != nil {
		return s, err
	}
	if s.Mask, err = mask(d.Mask, name); err != nil {
		return s, err
	}
	if len(d.Frame.Size) > 0 {
		return s, nil
	}
	if k.Size == nil {
		return s, problem.New(name, "give its frame a size", "%s has no size of its own", a(k.ID))
	}
	return s.Sized(), nil
}

// check refuses values that the kind does not have, and those out of their ranges.
func (k Kind) check(values step.Values, name string) error {
	for id, v := range values {
		at := slices.IndexFunc(k.Params, func(p step.Param) bool { return p.ID == id })
		if at < 0 {
			return problem.New(name, "leave it out", "%s knows no %q", a(k.ID), id)
		}
		if p := k.Params[at]; p.Clamp(v) != v || p.Integer && v != math.Trunc(v) {
			return problem.New(name, "use a number in its range", "%s is %g, and can be from %g to %g", id, v, p.Min,
				p.Max)
		}
	}
	return nil
}

func vec(x []float64, name, what string) (v Vec, err error) {
	if len(x) != 2 && len(x) != 3 {
		return v, problem.New(name, fileRemedy, "the %s has %d coordinates, not 2 or 3", what, len(x))
	}
	copy(v[:], x)
	return v, nil
}

func (d diskFrame) frame(name string) (f Frame, err error) {
	if f.Centre, err = vec(d.Centre, name, "centre of its frame"); err != nil {
		return f, err
	}
	if len(d.Size) > 0 {
		if f.Size, err = vec(d.Size, name, "size of its frame"); err != nil {
			return f, err
		}
	}
	f.Axes = Turned(d.Turn)
	if len(d.Axes) > 0 {
		if len(d.Axes) != 3 || d.Turn != 0 {
			return f, problem.New(name, fileRemedy, "its frame needs three axes and no turn, or a turn alone")
		}
		for i, a := range d.Axes {
			if f.Axes[i], err = vec(a, name, "axis of its frame"); err != nil {
				return f, err
			}
		}
	}
	return f, nil
}

func (d *diskPiece) piece(name string) (*Piece, error) {
	if d == nil {
		return nil, nil
	}
	if len(d.Positions) > Most {
		return nil, problem.New(name, "make it smaller", "a piece of %d landmarks, more than %d", len(d.Positions),
			Most)
	}
	p := &Piece{}
	for _, x := range d.Positions {
		at, err := vec(x, name, "landmark of its piece")
		if err != nil {
			return nil, err
		}
		for _, c := range at {
			if !(math.Abs(c) <= 1) {
				return nil, problem.New(name, "give numbers from -0.5 to 0.5", "a landmark of its piece lies at %g", c)
			}
		}
		p.At = append(p.At, at)
	}
	for _, e := range d.Edges {
		if len(e) != 2 || e[0] < 0 || e[0] >= e[1] || int(e[1]) >= len(p.At) {
			return nil, problem.New(name, "leave out this edge", "an edge of its piece joins landmarks %v of %d", e,
				len(p.At))
		}
		p.Edges = append(p.Edges, [2]int32{e[0], e[1]})
	}
	p.Edges = unique(p.Edges)
	return p, nil
}

// mask reads the rows of a silhouette.
func mask(rows []string, name string) (*Mask, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	m := &Mask{W: len(rows[0]), H: len(rows)}
	if m.W == 0 || m.W > maxSide || m.H > maxSide {
		return nil, problem.New(name, fileRemedy, "a silhouette of %d x %d pixels: 1 to %d are possible", m.W, m.H,
			maxSide)
	}
	for i, row := range rows {
		if len(row) != m.W || strings.Trim(row, "#.") != "" {
			return nil, problem.New(name, "use # and . alone, as many in each row",
				"row %d of its silhouette is damaged", i+1)
		}
		for _, c := range []byte(row) {
			m.In = append(m.In, c == '#')
		}
	}
	return m, nil
}

// maxSide bounds silhouettes that were written by hand.
const maxSide = 4096

// a is a word with its article.
func a(word string) string {
	if word != "" && strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// jsonWords says in plain words why JSON could not be read.
func jsonWords(err error) string {
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.As(err, &kind):
		return "there is " + a(kind.Value) + " where something else belongs"
	}
	return strings.TrimPrefix(err.Error(), "json: ")
}
