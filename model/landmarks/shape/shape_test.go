package shape

import (
	"bytes"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/problem"
)

// drawn is any shape that a hand could make.
func drawn(t *rapid.T) Shape { return drawnOf(t, rapid.SampledFrom(Kinds()).Draw(t, "kind")) }

func drawnOf(t *rapid.T, k Kind) Shape {
	length := rapid.Float64Range(-30, 30)
	s := Shape{Kind: k.ID, Packing: rapid.SampledFrom([]Packing{Hexagonal, Square}).Draw(t, "packing"),
		Spacing: rapid.Float64Range(0.2, 4).Draw(t, "spacing"),
		Frame: Frame{Centre: Vec{length.Draw(t, "x"), length.Draw(t, "y")},
			Size: Vec{length.Draw(t, "w"), length.Draw(t, "h")},
			Axes: Turned(rapid.Float64Range(-180, 180).Draw(t, "turn"))}}
	for _, p := range k.Params {
		v := rapid.Float64Range(p.Min, min(p.Max, 12)).Draw(t, p.ID)
		if p.Integer {
			v = math.Round(v)
		}
		s = s.With(p.ID, v)
	}
	s = s.Fitted()
	place := rapid.Custom(func(t *rapid.T) [2]float64 {
		return [2]float64{rapid.Float64Range(-9, 9).Draw(t, "px"), rapid.Float64Range(-9, 9).Draw(t, "py")}
	})
	switch k.By {
	case ByStroke, ByOutline:
		path := rapid.SliceOfN(place, 3, 40).Draw(t, "path")
		traced, err := s.Trace(path)
		if err != nil {
			t.Skip(err)
		}
		s = traced
	case ByPiece:
		var at []Vec
		for _, p := range rapid.SliceOfN(place, 1, 30).Draw(t, "piece") {
			at = append(at, Vec{p[0], p[1]})
		}
		var edges [][2]int32
		for i := 1; i < len(at); i++ {
			edges = append(edges, [2]int32{int32(i - 1), int32(i)})
		}
		s = s.Cut(at, edges)
	case ByImage:
		w, h := rapid.IntRange(1, 20).Draw(t, "mw"), rapid.IntRange(1, 20).Draw(t, "mh")
		s.Mask = &Mask{W: w, H: h, In: rapid.SliceOfN(rapid.Bool(), w*h, w*h).Draw(t, "mask")}
	}
	return s
}

// Whatever is drawn makes a net whose places are finite and lie in the frame, whose edges join what is there, each
// once, and that is the same again; or it is a Problem with a remedy.
func TestAnyShape(t *testing.T) {
	for _, k := range Kinds() {
		made := 0
		rapid.Check(t, func(t *rapid.T) {
			if anyShape(t, drawnOf(t, k)) {
				made++
			}
		})
		if made == 0 {
			t.Errorf("no %s was ever made", k.ID)
		}
	}
}

// anyShape checks a shape, and says whether it makes a net.
func anyShape(t *rapid.T, s Shape) bool {
	net, err := s.Net()
	if err != nil {
		if problem.As(err).Remedy == "" {
			t.Fatalf("%v has no remedy", err)
		}
		return false
	}
	if n := len(net.At); n < 1 || n > Most {
		t.Fatalf("%d landmarks", n)
	}
	for i, p := range net.At {
		q := s.Frame.In(p)
		for c := range q {
			if !(math.Abs(q[c]) <= math.Abs(s.Frame.Size[c])/2+1e-6) {
				t.Fatalf("landmark %d lies at %v of a frame of %v", i, q, s.Frame.Size)
			}
		}
	}
	seen := map[[2]int32]bool{}
	for _, e := range net.Edges {
		if e[0] < 0 || e[0] >= e[1] || int(e[1]) >= len(net.At) || seen[e] {
			t.Fatalf("edge %v of %d landmarks", e, len(net.At))
		}
		seen[e] = true
	}
	again, err := s.Net()
	if err != nil || !reflect.DeepEqual(net, again) {
		t.Fatal("not the same again")
	}
	return true
}

// A file gives the same landmarks, bit for bit.
func TestFilesOfAnyShape(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		net, err := s.Net()
		var b bytes.Buffer
		if wrote := s.Write(&b); (wrote == nil) != (err == nil) {
			t.Fatalf("made: %v, written: %v", err, wrote)
		}
		if err != nil {
			return
		}
		back, err := Read(bytes.NewReader(b.Bytes()), "it")
		if err != nil {
			t.Fatalf("%v\n%s", err, b.String())
		}
		same, err := back.Net()
		if err != nil || len(same.At) != len(net.At) || !slices.Equal(same.Edges, net.Edges) {
			t.Fatalf("%v: another net", err)
		}
		for i, p := range net.At {
			for c := range p {
				if math.Abs(p[c]-same.At[i][c]) > 1e-9*(1+math.Abs(p[c])) {
					t.Fatalf("landmark %d at %v was %v", i, same.At[i], p)
				}
			}
		}
	})
}

// A frame that is moved, turned and sized does the same to what is in it.
func TestFrameMovesWhatIsInIt(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawn(t)
		net, err := s.Net()
		if err != nil {
			return
		}
		d := Vec{rapid.Float64Range(-5, 5).Draw(t, "dx"), rapid.Float64Range(-5, 5).Draw(t, "dy")}
		turn := rapid.Float64Range(-180, 180).Draw(t, "by")
		s.Frame = s.Frame.Move(d).TurnBy(turn)
		after, err := s.Net()
		if err != nil {
			t.Fatal(err)
		}
		sin, cos := math.Sincos(turn * math.Pi / 180)
		c := s.Frame.Centre
		for i, p := range net.At {
			x, y := p[0]+d[0]-c[0], p[1]+d[1]-c[1]
			want := Vec{c[0] + cos*x - sin*y, c[1] + sin*x + cos*y, p[2]}
			for k := range want {
				if math.Abs(want[k]-after.At[i][k]) > 1e-9 {
					t.Fatalf("landmark %d at %v, not %v", i, after.At[i], want)
				}
			}
		}
		s.Frame.Size[0] = -s.Frame.Size[0]
		mirrored, err := s.Net()
		if err != nil {
			t.Fatal(err)
		}
		for i := range mirrored.At {
			p, q := s.Frame.In(after.At[i]), s.Frame.In(mirrored.At[i])
			if math.Abs(p[0]+q[0]) > 1e-9 || math.Abs(p[1]-q[1]) > 1e-9 {
				t.Fatalf("landmark %d is mirrored from %v to %v", i, p, q)
			}
		}
	})
}

// Neighbours of a filled area are as far apart as the spacing, and all that are so far apart are joined.
func TestFilledAreas(t *testing.T) {
	for _, p := range []Packing{Hexagonal, Square} {
		s := Shape{Kind: "disc", Packing: p, Spacing: 0.5, Frame: Frame{Size: Vec{9, 7}, Axes: Upright()}}
		net, err := s.Net()
		if err != nil {
			t.Fatal(err)
		}
		if want := math.Pi * 9 * 7 / 4 / (0.25 * p.height()); math.Abs(float64(len(net.At))-want) > 0.05*want {
			t.Errorf("%v: %d landmarks, the area has room for %.0f", p, len(net.At), want)
		}
		close := 0
		for i, a := range net.At {
			for _, b := range net.At[i+1:] {
				d := math.Hypot(a[0]-b[0], a[1]-b[1])
				if d < 0.5-1e-9 {
					t.Fatalf("%v: two landmarks are %g apart", p, d)
				}
				if d < 0.5+1e-9 {
					close++
				}
			}
		}
		if close != len(net.Edges) {
			t.Errorf("%v: %d pairs of neighbours, %d edges", p, close, len(net.Edges))
		}
	}
}

func TestShapesByNumbers(t *testing.T) {
	up := Upright()
	for _, c := range []struct {
		name             string
		s                Shape
		landmarks, edges int
	}{
		{"square grid", Shape{Kind: "grid", Packing: Square, Spacing: 1,
			Frame: Frame{Size: Vec{4, 2}, Axes: up}}, 15, 22},
		{"hexagonal grid", Shape{Kind: "grid", Spacing: 1,
			Frame: Frame{Size: Vec{4.5, math.Sqrt(3)}, Axes: up}}, 15, 12 + 18},
		{"a row", Shape{Kind: "grid", Spacing: 1, Frame: Frame{Size: Vec{4, 0}, Axes: up}}, 5, 4},
		{"one", Shape{Kind: "grid", Spacing: 1, Frame: Frame{Axes: up}}, 1, 0},
		{"ring", Shape{Kind: "ring", Spacing: math.Pi / 6, Frame: Frame{Size: Vec{2, 2}, Axes: up}}, 12, 12},
		{"open line", Shape{Kind: "line", Spacing: 1, Frame: Frame{Size: Vec{4, 0}, Axes: up},
			Path: [][2]float64{{-0.5, 0}, {0.5, 0}}}, 5, 4},
		{"closed line", Shape{Kind: "line", Spacing: 1, Frame: Frame{Size: Vec{3, 3}, Axes: up},
			Path: [][2]float64{{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}}}, 12, 12},
		{"box", Shape{Kind: "box", Spacing: 1, Frame: Frame{Size: Vec{2, 1, 0}, Axes: up}}.With("layers", 2), 12, 20},
		{"sphere", Shape{Kind: "sphere", Spacing: 0.5, Frame: Frame{Size: Vec{2, 2, 0}, Axes: up}}, 42, 120},
		{"torus", Shape{Kind: "torus", Spacing: math.Pi / 8,
			Frame: Frame{Size: Vec{4, 4, 0}, Axes: up}}, 24 * 8, 24 * 8 * 2},
	} {
		s := c.s
		if s.Kind != "line" {
			s = s.Fitted()
		}
		net, err := s.Net()
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if len(net.At) != c.landmarks || len(net.Edges) != c.edges {
			t.Errorf("%s: %d landmarks and %d edges, not %d and %d", c.name, len(net.At), len(net.Edges), c.landmarks,
				c.edges)
		}
	}
}

// An outline that crosses itself is filled wherever it goes round, also twice.
func TestOutlineThatCrossesItself(t *testing.T) {
	s := Shape{Kind: "outline", Packing: Square, Spacing: 0.25, Frame: Frame{Axes: Upright()}}
	for name, path := range map[string][][2]float64{
		"twice around":      {{-2, -2}, {2, -2}, {2, 2}, {-2, 2}, {-2, -2}, {2, -2}, {2, 2}, {-2, 2}},
		"a figure of eight": {{-2, -2}, {2, 2}, {2, -2}, {-2, 2}},
	} {
		traced, err := s.Trace(path)
		if err != nil {
			t.Fatal(err)
		}
		net, err := traced.Net()
		if err != nil {
			t.Fatal(err)
		}
		want := 17 * 17
		if name != "twice around" {
			want /= 2
		}
		if n := len(net.At); math.Abs(float64(n-want)) > 20 {
			t.Errorf("%s: %d landmarks, about %d were expected", name, n, want)
		}
	}
}

func TestBadShapes(t *testing.T) {
	frame := Frame{Size: Vec{5, 5}, Axes: Upright()}
	for name, s := range map[string]Shape{
		"unknown":       {Kind: "cloud", Frame: frame, Spacing: 1},
		"spacing 0":     {Kind: "disc", Frame: frame},
		"spacing NaN":   {Kind: "disc", Frame: frame, Spacing: math.NaN()},
		"too many":      {Kind: "disc", Frame: frame, Spacing: 0.01},
		"far too many":  {Kind: "disc", Frame: Frame{Size: Vec{9e5, 9e5}, Axes: Upright()}, Spacing: 1e-9},
		"long line":     {Kind: "line", Frame: frame, Spacing: 1e-9, Path: [][2]float64{{-0.5, 0}, {0.5, 0}}},
		"tiny ring":     {Kind: "ring", Frame: frame, Spacing: 1e-300},
		"tiny sphere":   {Kind: "sphere", Frame: frame, Spacing: 1e-300},
		"tiny torus":    {Kind: "torus", Frame: frame, Spacing: 1e-300},
		"one point":     {Kind: "line", Frame: frame, Spacing: 1, Path: [][2]float64{{0, 0}}},
		"no path":       {Kind: "outline", Frame: frame, Spacing: 1},
		"far path":      {Kind: "outline", Frame: frame, Spacing: 1, Path: [][2]float64{{0, 0}, {1, 1}, {7, 0}}},
		"no piece":      {Kind: "piece", Frame: frame},
		"no mask":       {Kind: "silhouette", Frame: frame, Spacing: 1},
		"empty mask":    {Kind: "silhouette", Frame: frame, Spacing: 1, Mask: &Mask{W: 2, H: 1, In: make([]bool, 2)}},
		"no axes":       {Kind: "grid", Spacing: 1, Frame: Frame{Size: Vec{5, 5}}},
		"infinite size": {Kind: "grid", Spacing: 1, Frame: Frame{Size: Vec{math.Inf(1), 5}, Axes: Upright()}},
	} {
		net, err := s.Net()
		if err == nil {
			t.Errorf("%s: %d landmarks", name, len(net.At))
		} else if p := problem.As(err); p.Remedy == "" || p.What == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := (Shape{Kind: "line", Spacing: 1, Frame: frame}).Trace([][2]float64{{1, 1}, {1, 1}}); err == nil ||
		!strings.Contains(err.Error(), "single point") {
		t.Errorf("a stroke of one point: %v", err)
	}
}

func TestBadFiles(t *testing.T) {
	const head, unit = `{"format":"blossom shape","version":1,`, `"frame":{"centre":[0,0],"size":[1,1],`
	good := head + `"kind":"grid","packing":"square","spacing":2,"frame":{"centre":[1,2]},"values":{"cols":4,"rows":3}}`
	s, err := Read(strings.NewReader(good), "it")
	if err != nil {
		t.Fatal(err)
	}
	if net, _ := s.Net(); len(net.At) != 12 || net.At[0] != (Vec{-2, 0}) || net.At[11] != (Vec{4, 4}) {
		t.Fatalf("%v", net)
	}
	for want, text := range map[string]string{
		"ends too early":       ``,
		"not the file":         `{}`,
		"it ends too":          good[:40],
		"version 2":            strings.Replace(good, `:1,`, `:2,`, 1),
		"newer":                strings.Replace(good, `:1,`, `:2,"hue":3,`, 1),
		"version 0":            strings.Replace(good, `:1,`, `:0,`, 1),
		"no shape":             strings.Replace(good, `grid`, `cloud`, 1),
		"packing":              strings.Replace(good, `square`, `loose`, 1),
		"spacing":              strings.Replace(good, `"spacing":2`, `"spacing":-2`, 1),
		"knows no":             strings.Replace(good, `rows`, `lines`, 1),
		"rows is":              strings.Replace(good, `"rows":3`, `"rows":3.5`, 1),
		"cols is":              strings.Replace(good, `"cols":4`, `"cols":4000`, 1),
		"coordinates":          strings.Replace(good, `[1,2]`, `[1]`, 1),
		"something follows":    good + good,
		"where something else": strings.Replace(good, `[1,2]`, `"here"`, 1),
		"unknown field":        strings.Replace(good, `"spacing"`, `"hue"`, 1),
		"size of its own":      head + `"kind":"disc","frame":{"centre":[0,0]}}`,
		"no turn":              head + `"kind":"disc",` + unit + `"axes":[[1,0],[1,0],[0,1]]}}`,
		"three axes":           head + `"kind":"disc",` + unit + `"axes":[[1,0]]}}`,
		"joins": head + `"kind":"piece",` + unit +
			`"turn":0},"piece":{"positions":[[0,0]],"edges":[[0,1]]}}`,
		"row 2": head + `"kind":"silhouette",` + unit + `"turn":0},"mask":["##","#"]}`,
	} {
		_, err := Read(strings.NewReader(text), "it")
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		} else if p := problem.As(err); p.Remedy == "" || p.File != "it" {
			t.Errorf("%s: %+v", want, p)
		}
	}
}
