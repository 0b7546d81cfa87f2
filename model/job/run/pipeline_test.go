package run

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"

	_ "blossom/gpu/reference"
)

// quick are flags that train in no time on the reference engine.
func quick() Flags {
	s := Defaults()
	s.Machine.Engine, s.Origin.SOM, s.Origin.Epochs = "reference", "6x5", 3
	return s
}

func embed(t *testing.T, s Flags, input string) *Map {
	t.Helper()
	m, err := s.Embed(context.Background(), input, nil)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCheck(t *testing.T) {
	ok := quick()
	if err := ok.Check(); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		change func(*Flags)
		want   string
	}{
		"sample":          {func(s *Flags) { s.Input.Sample = "last" }, "--sample"},
		"max points":      {func(s *Flags) { s.Input.MaxPoints = -1 }, "--max-points"},
		"part":            {func(s *Flags) { s.Input.Part = -1 }, "--part"},
		"threads":         {func(s *Flags) { s.Machine.GPU.Threads = -2 }, "--threads"},
		"transform":       {func(s *Flags) { s.Space.Transforms = []string{"asin:5"} }, "asin:5"},
		"cofactor":        {func(s *Flags) { s.Space.Transforms = []string{"CD3=asinh:0"} }, "asinh"},
		"k":               {func(s *Flags) { s.Params.K = 0 }, "--k"},
		"boost":           {func(s *Flags) { s.Params.Boost = 0 }, "--boost"},
		"boost of a jump": {func(s *Flags) { s.Params.Boost = 30 }, "up to 20"},
		"boost nan":       {func(s *Flags) { s.Params.Boost = float32(math.NaN()) }, "--boost"},
		"adjust":          {func(s *Flags) { s.Params.Adjust = -1 }, "--adjust"},
		"dims":            {func(s *Flags) { s.Origin.Dims = 4 }, "dimensions, not 4"},
		"dims grid":       {func(s *Flags) { s.Origin.Dims = 3 }, "7x7x7"},
		"hd alone":        {func(s *Flags) { s.Origin.SOM, s.Origin.LandmarksHD = "", "x.npy" }, "belong together"},
		"two places":      {func(s *Flags) { s.Origin.KMeans = 5 }, "one place"},
		"kmeans":          {func(s *Flags) { s.Origin.SOM, s.Origin.KMeans = "", -5 }, "--kmeans"},
		"grid":            {func(s *Flags) { s.Origin.SOM = "20" }, "20"},
		"topology":        {func(s *Flags) { s.Origin.Topology = "ring" }, "ring"},
		"epochs":          {func(s *Flags) { s.Origin.Epochs = -1 }, "--epochs"},
		"sigma":           {func(s *Flags) { s.Origin.Sigma = "10-2" }, "--sigma"},
		"sigma zero":      {func(s *Flags) { s.Origin.Sigma = "10:0" }, "--sigma"},
		"alpha":           {func(s *Flags) { s.Origin.Alpha = "x" }, "--alpha"},
	} {
		s := quick()
		c.change(&s)
		err := s.Check()
		var wrong Usage
		if !errors.As(err, &wrong) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFromTo(t *testing.T) {
	for text, want := range map[string][2]float64{"10:0.5": {10, 0.5}, "3": {3, 3}, " 1e1 : 2 ": {10, 2}} {
		from, to, err := fromTo("--sigma", text)
		if err != nil || from != want[0] || to != want[1] {
			t.Errorf("%q: %g, %g, %v", text, from, to, err)
		}
	}
	if from, to, err := fromTo("--sigma", ""); err != nil || from == from || to == to {
		t.Errorf("nothing given: %g, %g, %v", from, to, err)
	}
}

// The same seed gives the same map, another one a different one, and a part of the points goes where
// it goes with all of them.
func TestEmbedRepeats(t *testing.T) {
	s := quick()
	a := embed(t, s, "demo:tesseract:700")
	if again := embed(t, s, "demo:tesseract:700"); !slices.Equal(a.Embedding.Data, again.Embedding.Data) {
		t.Error("two runs differ")
	}
	s.Input.Seed = 2
	if other := embed(t, s, "demo:tesseract:700"); slices.Equal(a.Embedding.Data, other.Embedding.Data) {
		t.Error("another seed changes nothing")
	}
	for i, v := range a.Embedding.Data {
		if v-v != 0 {
			t.Fatalf("coordinate %d is %g", i, v)
		}
	}
	if len(a.Points.Cols) != 4 {
		t.Errorf("%d dimensions: the label column must not be in the map", len(a.Points.Cols))
	}
}

// A trained map is frozen: through its file, the same data goes to the same places, bit for bit,
// whatever transform and scale it had; and a part of it does, although its own deviations differ.
func TestFrozenMap(t *testing.T) {
	for name, change := range map[string]func(*Flags){
		"plain":     func(*Flags) {},
		"scaled":    func(s *Flags) { s.Space.Scale = true },
		"log":       func(s *Flags) { s.Space.Transforms = []string{"log", "CD3=asinh:5"} },
		"log scale": func(s *Flags) { s.Space.Transforms, s.Space.Scale = []string{"CD4=log"}, true },
		"k-means":   func(s *Flags) { s.Origin.SOM, s.Origin.KMeans = "", 30 },
		"3D":        func(s *Flags) { s.Origin.SOM = "3x3x3" },
		"ordered":   func(s *Flags) { s.Space.Columns = "CD8,CD3,CD19,CD4,1" },
	} {
		t.Run(name, func(t *testing.T) {
			s := quick()
			change(&s)
			const input = "demo:cytometry:600"
			direct := embed(t, s, input)
			var text bytes.Buffer
			if err := direct.File.Write(&text); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(t.TempDir(), "map.json")
			if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
				t.Fatal(err)
			}
			frozen := Defaults()
			frozen.Machine.Engine, frozen.Origin.Landmarks = "reference", file
			if got := embed(t, frozen, input); !slices.Equal(got.InRows(), direct.InRows()) {
				t.Error("the map from the file differs from the one that was trained")
			}
			frozen.Input.MaxPoints = 100
			part := embed(t, frozen, input)
			if n := 100 * part.Embedding.M; len(part.InRows()) != n ||
				!slices.Equal(part.InRows(), direct.InRows()[:n]) {
				t.Error("a part of the data goes elsewhere")
			}
		})
	}
}

func TestTrainedColumnsRefuse(t *testing.T) {
	s := quick()
	m := embed(t, s, "demo:cytometry:300")
	file := filepath.Join(t.TempDir(), "map.json")
	var text bytes.Buffer
	if err := m.File.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, text.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		input string
		set   func(*Flags)
		want  string
	}{
		"other data":  {"demo:mammoth:100", func(*Flags) {}, "BUV395-A"},
		"columns too": {"demo:cytometry:100", func(s *Flags) { s.Space.Columns = "CD3" }, "--columns"},
		"other dims":  {"demo:cytometry:100", func(s *Flags) { s.Origin.Dims = 3 }, "--dims"},
		"no file":     {"demo:cytometry:100", func(s *Flags) { s.Origin.Landmarks += "x" }, "does not exist"},
		"a folder":    {"demo:cytometry:100", func(s *Flags) { s.Origin.Landmarks = filepath.Dir(file) }, "plain"},
	} {
		s := Defaults()
		s.Machine.Engine, s.Origin.Landmarks = "reference", file
		c.set(&s)
		if _, err := s.Embed(context.Background(), c.input, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// Given landmarks take the input as it is: all columns when their number fits, else the markers, else
// those of the same names; no transform unless asked for.
func TestGivenColumns(t *testing.T) {
	column := func(name string, role dataset.Role) dataset.Column { return dataset.Column{Name: name, Role: role} }
	ds := &dataset.Dataset{Path: "x.csv", Cells: true, Columns: []dataset.Column{
		column("a", dataset.Marker), column("t", dataset.Time), column("b", dataset.Marker),
		column("flat", dataset.Ignored)}}
	hd := func(names ...string) *dataset.Dataset {
		h := &dataset.Dataset{}
		for i, n := range names {
			if n == "" {
				n = dataset.DefaultName(i)
			}
			h.Columns = append(h.Columns, dataset.Column{Name: n})
		}
		return h
	}
	for name, c := range map[string]struct {
		hd      *dataset.Dataset
		columns string
		want    []int
		err     string
	}{
		"all":     {hd("", "", "", ""), "", []int{0, 1, 2, 3}, ""},
		"markers": {hd("", ""), "", []int{0, 2}, ""},
		"named":   {hd("b", "t"), "", []int{2, 1}, ""},
		"chosen":  {hd("", ""), "flat,a", []int{3, 0}, ""},
		"too few": {hd("", "", ""), "", nil, "2 columns are chosen"},
		"unknown": {hd("", ""), "a,c", nil, `no column "c"`},
	} {
		s := Defaults()
		s.Space.Columns = c.columns
		cols, spec, err := s.Space.givenColumns(t.Context(), ds, Given{hd: c.hd})
		if c.err != "" {
			if err == nil || !strings.Contains(err.Error(), c.err) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !slices.Equal(cols, c.want) {
			t.Errorf("%s: %v, %v", name, cols, err)
		}
		for _, x := range spec.Columns {
			if x.Op != transform.None || spec.Scale {
				t.Errorf("%s: transformed", name)
			}
		}
	}
}

func TestTransformsApply(t *testing.T) {
	s := quick()
	s.Space.Transforms = []string{"CD4=asinh:5", "linear:2:1"} // single ones win, whatever the order
	m := embed(t, s, "demo:cytometry:200")
	for _, c := range m.File.Columns {
		want := "linear:2:1"
		if c.Label == "CD4" {
			want = "asinh:5"
		}
		if c.Transform != want {
			t.Errorf("%s: %s, want %s", c.Label, c.Transform, want)
		}
	}
	s.Space.Transforms = []string{"CDx4=asinh:5"}
	if _, err := s.Embed(context.Background(), "demo:cytometry:200", nil); err == nil ||
		!strings.Contains(err.Error(), `did you mean "CD`) {
		t.Errorf("an unknown column: %v", err)
	}
}

func TestAwkwardInputs(t *testing.T) {
	s := quick()
	if m := embed(t, s, "demo:tesseract:1"); m.Embedding.N != 1 || m.Embedding.Data[0]-m.Embedding.Data[0] != 0 {
		t.Errorf("one point: %v", m.Embedding.Data)
	}
	s.Params.K = 1000
	m := embed(t, s, "demo:tesseract:50")
	if !slices.ContainsFunc(m.Notes, func(n string) bool { return strings.Contains(n, "more than the 30 landmarks") }) {
		t.Errorf("k above g is not told: %q", m.Notes)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Embed(ctx, "demo:tesseract:50", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	s.Machine.Engine = "abacus"
	var wrong Usage
	if _, err := s.Embed(context.Background(), "demo:tesseract:50", nil); !errors.As(err, &wrong) {
		t.Errorf("an unknown engine: %v", err)
	}
}

// A cancelled training stops at once and reports progress before.
func TestTrainingStops(t *testing.T) {
	s := quick()
	s.Origin.SOM, s.Origin.Epochs = "20x20", 1000
	ctx, cancel := context.WithCancel(context.Background())
	var mu sync.Mutex // reports come from all cores
	stages := map[string]bool{}
	_, err := s.Train(ctx, "demo:tesseract:50000", func(stage string, done, total int64) {
		mu.Lock()
		defer mu.Unlock()
		stages[stage] = true
		if stage == "training" && done > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) || !stages["training"] {
		t.Errorf("%v after %v", err, stages)
	}
}

func TestTableForConvert(t *testing.T) {
	ds, err := (&Input{Sample: "first"}).Read(context.Background(), "demo:cytometry:400", nil)
	if err != nil {
		t.Fatal(err)
	}
	raw := slices.Clone(ds.Columns[4].Values)
	s := quick()
	s.Space.Transforms, s.Space.Scale, s.Space.Exclude = []string{"asinh:150"}, true, "Time,population"
	out, err := s.Space.Table(context.Background(), ds)
	if err != nil {
		t.Fatal(err)
	}
	if len(out.Columns) != len(ds.Columns)-2 || !slices.Equal(ds.Columns[4].Values, raw) {
		t.Fatalf("%d columns; the input changed: %v", len(out.Columns), !slices.Equal(ds.Columns[4].Values, raw))
	}
	for _, c := range out.Columns {
		if c.Role == dataset.Marker && math.Abs(c.Stats.SD-1) > 1e-3 {
			t.Errorf("%s: deviation %g after scaling", c.Name, c.Stats.SD)
		}
		if c.Role == dataset.Scatter && c.Stats.Max < 1000 {
			t.Errorf("%s was transformed: at most %g", c.Name, c.Stats.Max)
		}
	}
	sd := out.Columns[4].Values[0] / float32(math.Asinh(float64(raw[0])/150))
	for i, v := range out.Columns[4].Values {
		if want := sd * float32(math.Asinh(float64(raw[i])/150)); math.Abs(float64(v-want)) > 1e-3 {
			t.Fatalf("row %d: %g, want %g", i, v, want)
		}
	}
}

// The file of the landmarks says every parameter of the training, also those that nobody set.
func TestFileHasAllValues(t *testing.T) {
	for id, given := range map[string]func(*Flags){
		"som":       func(s *Flags) { s.Origin.Sigma, s.Origin.Epochs = "3:0.7", 2 },
		"som-batch": func(s *Flags) { s.Origin.Epochs = 2 },
		"kmeans":    func(s *Flags) { s.Origin.SOM, s.Origin.KMeans, s.Origin.Alpha = "", 9, "0.3" },
		"lloyd":     func(s *Flags) { s.Origin.SOM, s.Origin.KMeans = "", 9 },
	} {
		s := quick()
		s.Origin.Algorithm = id
		given(&s)
		m, err := s.Train(context.Background(), "demo:tesseract:300", nil)
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := m.File.Write(&b); err != nil {
			t.Fatal(err)
		}
		f, err := landmark.Read(&b, id)
		if err != nil {
			t.Fatal(err)
		}
		a, _ := train.ByID(id)
		if f.Method != id || len(f.Values) != len(a.Params) {
			t.Errorf("%s: %s with %v", id, f.Method, f.Values)
		}
		for _, p := range a.Params {
			if x, ok := f.Values[p.ID]; !ok || x != p.Clamp(x) {
				t.Errorf("%s: %s is %g, %v", id, p.ID, x, ok)
			}
		}
		want := map[string]map[string]float64{
			"som": {"sigma_from": 3, "sigma_to": 0.7, "epochs": 2, "alpha_from": 0.2, "alpha_to": 0.01,
				"fall": 0},
			"som-batch": {"epochs": 2, "sigma_to": 0.8},
			"kmeans":    {"alpha_from": 0.3, "alpha_to": 0.3, "gravity": 0.01}, "lloyd": {"epochs": 3},
		}[id]
		for name, x := range want {
			if f.Values[name] != x {
				t.Errorf("%s: %s is %g, want %g", id, name, f.Values[name], x)
			}
		}
	}
}
