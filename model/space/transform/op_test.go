package transform

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/step"
	"blossom/model/data/dataset"

	"pgregory.net/rapid"
)

// power is an op like those of other files: sign(x) |x / top|^exponent, where top is the largest size of the column
// unless it is given.
const power ID = "power"

func init() {
	Register(Op{
		ID: power, Aliases: []string{"pow"}, Title: "Power", Help: "A power of the size.", Order: 50,
		Params: []Param{
			{Param: step.Param{ID: "exponent", Title: "Exponent", Min: 0.1, Max: 3, Default: 0.5, Log: true,
				Help: "Below 1 it brings large values together."}},
			{Param: step.Param{ID: "top", Title: "Top", Max: 1e9, Help: "What becomes 1."}, Typed: true, Auto: true},
		},
		Wrong: func(p Params) string {
			if !(p[0] > 0 && p[1] >= 0) {
				return "the exponent of power must be above 0"
			}
			return ""
		},
		Text: func(p Params) string { return fmt.Sprintf("x^%g", p[0]) },
		Resolve: func(p Params, c *dataset.Column) Params {
			for _, x := range c.Values {
				if a := math.Abs(float64(x)); a > p[1] && a <= math.MaxFloat32 {
					p[1] = a
				}
			}
			if p[1] == 0 {
				p[1] = 1
			}
			return p
		},
		Curve: func(p Params) Curve {
			e, top := p[0], p[1]
			return Curve{ // without Block: Forward serves
				Forward: func(x float64) float64 { return math.Copysign(math.Pow(math.Abs(x)/top, e), x) },
				Inverse: func(y float64) float64 { return math.Copysign(math.Pow(math.Abs(y), 1/e)*top, y) },
			}
		},
	})
}

// An op of another file is found by all that iterates them: text, help, errors, lists, the rows of the window,
// points, colours, files.
func TestARegisteredOpIsEverywhere(t *testing.T) {
	all := Ops()
	if i := slices.IndexFunc(all, func(o *Op) bool { return o.ID == power }); i != len(all)-1 {
		t.Fatalf("power is number %d of %d", i, len(all))
	}
	if !strings.Contains(Known(), " or power[:EXPONENT[:TOP]]") {
		t.Errorf("help says %q", Known())
	}
	if _, err := Parse("magic"); err == nil || !strings.Contains(err.Error()+Known(), "power[") {
		t.Errorf("%v", err)
	}
	for text, want := range map[string]Params{"power": {0.5}, "POW:2": {2}, "power:0.25:7": {0.25, 7}} {
		c, err := Parse(text)
		if err != nil || c.Op != power || c.Params != want {
			t.Fatalf("%s: %v, %v", text, c, err)
		}
		back, err := Parse(c.String())
		if err != nil || back != c {
			t.Errorf("%s comes back as %v, %v", c, back, err)
		}
	}
	c, _ := Parse("power")
	if c.String() != "power:0.5" || c.Text() != "x^0.5" {
		t.Errorf("%s, %s", c, c.Text())
	}
	for _, text := range []string{"power:0", "power:1:2:3", "power:1:Inf", "power:1:-1", "power:NaN"} {
		if _, err := Parse(text); err == nil {
			t.Errorf("%s was taken", text)
		}
	}
	o := ByID(power)
	if len(o.Params) != 2 || o.Params[0].Title != "Exponent" || !o.Params[1].Auto || o.Defaults() != (Params{0.5}) {
		t.Errorf("rows of the window: %+v", o.Params)
	}

	ds := table([]float32{-4, 0, 1, nan, 16, inf}, []float32{1, 2, 3, 4, 5, 6})
	spec := Spec{Columns: []Column{c, {Weight: 1}}}
	want := []float32{-0.5, 0, 0.25, nan, 1, inf}
	m := mustBuild(t, ds, spec, nil)
	for i, w := range want {
		if got := m.X.Row(i)[0]; got != w && w == w || (got != got) != (w != w) {
			t.Errorf("value %d is %g, want %g", i, got, w)
		}
	}
	if v := ColumnValues(&ds.Columns[0], c, []int32{4, 0}); !slices.Equal(v, []float32{1, -0.5}) {
		t.Errorf("colours %v", v)
	}
	if x := m.Funcs[0].Inverse(-0.5); x != -4 {
		t.Errorf("-0.5 comes from %g", x)
	}
	if f := m.Frozen(); f.Columns[0].Params != (Params{0.5, 16}) || f.Columns[0].String() != "power:0.5:16" {
		t.Errorf("frozen: %v", f.Columns[0])
	}
	checkRoundTrip(t, ds, spec)
	checkRoundTrip(t, ds, m.Frozen())
}

// checkRoundTrip sends a Spec through the text of a file.
func checkRoundTrip(t rapid.TB, ds *dataset.Dataset, s Spec) {
	t.Helper()
	text, err := json.Marshal(EncodeSpec(ds, s))
	if err != nil {
		t.Fatal(err)
	}
	var e Encoded
	if err := json.Unmarshal(text, &e); err != nil {
		t.Fatal(err)
	}
	got, err := DecodeSpec(ds, e)
	if err != nil || !got.Equal(s) {
		t.Fatalf("%s gives %v, %v; want %v", text, got, err, s)
	}
}

func TestEncodeDecode(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		checkRoundTrip(t, ds, genSpec(t, len(ds.Columns)))
	})
}

// The text of the files there are: names of fields and words of values stay.
func TestDecodeAFile(t *testing.T) {
	ds := table([]float32{1, 2}, []float32{3, 4}, []float32{5, 6}, []float32{7, 8})
	const text = `{"columns": [
		{"name": "b", "transform": "asinh:7.25", "weight": 0.3, "use": "in the map"},
		{"name": "a", "transform": "log:0.5", "weight": 1, "sd": 2, "use": "colour only"},
		{"name": "c", "transform": "linear:2:-1", "weight": 1, "use": "off"},
		{"name": "d", "transform": "none", "weight": 1, "use": "in the map"}], "scale": true}`
	want := Spec{Scale: true, Columns: []Column{
		{Op: Log, Params: Params{0.5}, Weight: 1, SD: 2, Use: ColourOnly},
		{Op: Asinh, Params: Params{7.25}, Weight: 0.3},
		{Op: Linear, Params: Params{2, -1}, Weight: 1, Use: Off}, {Weight: 1}}}
	read := func(text string) (Spec, error) {
		var e Encoded
		if err := json.Unmarshal([]byte(text), &e); err != nil {
			t.Fatal(err)
		}
		return DecodeSpec(ds, e)
	}
	if got, err := read(text); err != nil || !got.Equal(want) {
		t.Fatalf("%v, %v", got, err)
	}
	for _, change := range [][2]string{{`"name": "b"`, `"name": "zz"`}, {"asinh:7.25", "magic"},
		{`"weight": 0.3`, `"weight": -1`}, {`"in the map"`, `"off"`}} {
		if _, err := read(strings.ReplaceAll(text, change[0], change[1])); err == nil {
			t.Errorf("%s for %s was taken", change[1], change[0])
		}
	}
}

func TestRegisterRefuses(t *testing.T) {
	for name, o := range map[string]Op{
		"taken": {ID: Log}, "alias": {ID: "new1", Aliases: []string{"raw"}}, "none": {ID: "none"},
		"a colon": {ID: "a:b"}, "upper case": {ID: "New"}, "long": {ID: "new2", Params: make([]Param, MaxParams+1)},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s was registered", name)
				}
			}()
			Register(o)
		}()
	}
}

// The ops compute per block the same as per value, bit for bit.
func TestBlocksEqualValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds := genData(t)
		s := genSpec(t, len(ds.Columns))
		for i := range s.Columns {
			f := Function(ds, s, i)
			for r, y := range ColumnValues(&ds.Columns[i], s.Columns[i], nil) {
				x := ds.Columns[i].Values[r]
				if want := float32(f.Forward(float64(x))); math.Float32bits(y) != math.Float32bits(want) &&
					(y == y || want == want) {
					t.Fatalf("%s of %g is %g in a block, %g alone", s.Columns[i], x, y, want)
				}
			}
		}
	})
}

func TestUnknownOp(t *testing.T) {
	ds := table([]float32{1, 2})
	s := Spec{Columns: []Column{{Op: "gone", Weight: 1}}}
	if _, err := Build(context.Background(), ds, s, nil, nil); err == nil || !strings.Contains(err.Error(), "gone") {
		t.Error(err)
	}
	v := ColumnValues(&ds.Columns[0], s.Columns[0], nil)
	if !slices.Equal(v, []float32{1, 2}) || s.Columns[0].String() != "gone" {
		t.Error(v)
	}
}

// Figures have numbers of a calibration as people say them; files have all of their digits.
func TestALinearTransformIsSaidInShort(t *testing.T) {
	for text, want := range map[string]string{"linear:0.008994476730445678": "linear/111.2", "linear:2": "linear·2",
		"linear:1:-3.25": "linear-3.25", "linear:-0.5:1": "linear/-2+1", "linear": "linear"} {
		c, err := Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		if got := c.Text(); got != want {
			t.Errorf("%s is said as %q, want %q", text, got, want)
		}
		if again, err := ParseFile(c.File()); err != nil || again != c {
			t.Errorf("%s is %v in files, %v", text, again, err)
		}
	}
}
