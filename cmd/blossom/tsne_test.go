package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/oracle"
	"blossom/model/data/dataset"
)

// said is what tsne --json says, as far as tests look at it.
type said struct {
	Points, Invalid, Units, Dims int
	KL, Z, RNX, Trustworthiness  *float64
	Perplexity, Recall           float64
	Method                       string
	Notes                        []string
	Interrupted                  bool
	TrustedK                     int
	Stages                       map[string]float64 `json:"seconds_by_stage"`
}

func (s *said) UnmarshalJSON(b []byte) error {
	type plain said
	v := struct {
		*plain
		RNX      *float64 `json:"r_nx"`
		TrustedK int      `json:"trustworthiness_k"`
	}{plain: (*plain)(s)}
	err := json.Unmarshal(b, &v)
	s.RNX, s.TrustedK = v.RNX, v.TrustedK
	return err
}

// tsneSays runs the command in this process, which saves the start of one.
func tsneSays(t *testing.T, args ...string) (s said) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if code := execute(t.Context(), append([]string{"tsne", "--json"}, args...), &stdout, &stderr); code != 0 {
		t.Fatalf("%v: exit code %d: %s", args, code, stderr.String())
	}
	parse(t, stdout.String(), &s)
	return s
}

// layouts of the exact answers, by name: "2_late".
type layouts map[string]struct {
	Z, KL float64
	RNX   float64 `json:"R_NX"`
	Trust float64 `json:"trustworthiness_12"`
}

// lies are the methods that the answers are compared with, and by how much their repulsion and Z may be off, early and
// late. Those of the plane alone have no third dimension.
var lies = []struct {
	engine, method string
	flags          string
	plane          bool
	early, late, z float64
	fewest         int
	apart          string // a case where it is off by more: few points, so far apart that own terms are all
}{
	{"reference", "exact", "", false, 1e-6, 1e-6, 1e-6, 0, ""},
	{"cpu", "exact", "", false, 1e-6, 1e-6, 1e-6, 0, ""},
	{"cpu", "tree", "--theta 0.5", false, 3e-2, 3e-3, 5e-3, 0, ""},
	{"cpu", "tree", "--theta 0", false, 1e-5, 1e-5, 1e-5, 0, ""},
	{"cpu", "field", "", true, 4e-2, 4e-2, 3e-3, 40, "torus-3d"},
	{"cpu", "field", "--accuracy fine", true, 3e-3, 3e-3, 2e-4, 40, "torus-3d"},
}

// Every case of the exact answers: forces at their layouts, and how well a map ends that is made here.
func TestTSNEOracle(t *testing.T) {
	for _, dir := range oracle.Cases(t, oracle.TSNE) {
		var c struct {
			N          int
			Perplexity float64
			Used       float64 `json:"perplexity_used"`
			Layouts    layouts
		}
		oracle.Case(t, dir, &c)
		for _, m := range lies {
			common := []string{filepath.Join(dir, "points.npy"), "--scale=none", "--engine", m.engine,
				"--repulsion", m.method, "--perplexity", fmt.Sprint(c.Perplexity)}
			common = append(common, strings.Fields(m.flags)...)
			t.Run(strings.Join([]string{filepath.Base(dir), m.engine, m.method, m.flags}, " "), func(t *testing.T) {
				for name, want := range c.Layouts {
					if m.plane && name[0] != '2' || c.N < m.fewest || filepath.Base(dir) == m.apart {
						continue
					}
					out := filepath.Join(t.TempDir(), "f.npy")
					got := tsneSays(t, append(common, "--at", filepath.Join(dir, "Y"+name+".npy"), "-o", out)...)
					rep := m.early
					if strings.HasSuffix(name, "late") {
						rep = m.late
					}
					z := math.Abs(*got.Z/want.Z - 1)
					if z > m.z || math.Abs(*got.KL-want.KL) > 1e-5+z || math.Abs(*got.RNX-want.RNX) > 1e-3 ||
						math.Abs(*got.Trustworthiness-want.Trust) > 1e-3 || got.Perplexity != c.Used ||
						got.Method != m.method {
						t.Errorf("%s: %+v, KL %g, Z %g, R_NX %g, want %+v", name, got, *got.KL, *got.Z, *got.RNX, want)
					}
					forces := read(t, out)
					checkForces(t, name, forces, dir, *got.Z, rep)
				}
				if testing.Short() {
					return
				}
				for dims := 2; dims <= 3; dims++ {
					if m.engine != "cpu" || m.method != "exact" { // auto takes this for so few points
						continue
					}
					got := tsneSays(t, append(common, "--units", "750", "--dims", fmt.Sprint(dims), "-o",
						filepath.Join(t.TempDir(), "o.npy"))...)
					want := c.Layouts[fmt.Sprintf("%d_late", dims)].KL
					if *got.KL > 1.015*want+0.003 || got.Units != 750 || got.Points != c.N || got.Dims != dims {
						t.Errorf("%dD: KL %g after %d units, want %g", dims, *got.KL, got.Units, want)
					}
				}
			})
		}
	}
}

// checkForces compares columns of forces, first attraction, then repulsion that is not divided by Z.
func checkForces(t *testing.T, name string, got *dataset.Dataset, dir string, z, most float64) {
	t.Helper()
	dims := len(got.Columns) / 2
	for part, file := range []string{"attr", "rep"} {
		want := read(t, filepath.Join(dir, file+name+".npy"))
		scale := 1.0
		if part == 1 {
			scale = 1 / z
		}
		off, sum, worst := 0.0, 0.0, 0.0
		for c := range dims {
			for i, w := range want.Columns[c].Values {
				d := float64(got.Columns[part*dims+c].Values[i])*scale - float64(w)
				off += d * d
				sum += float64(w) * float64(w)
				worst = max(worst, math.Abs(d))
			}
		}
		rms := math.Sqrt(sum / float64(want.Points*dims))
		if l2 := math.Sqrt(off / sum); part == 1 && l2 > most || part == 0 && worst > 1e-5*rms {
			t.Errorf("%s: %s is off by %.2g, at worst %.2g of the rms", name, file, l2, worst/rms)
		}
	}
}

// New points come to the same places, to the byte, whether they are placed alone or among others.
func TestTSNEInto(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "tesseract", "--points", "400", "-o", "all.csv")
	lines := strings.SplitAfter(strings.TrimSpace(text(t, filepath.Join(dir, "all.csv")))+"\n", "\n")
	write(t, filepath.Join(dir, "old.csv"), strings.Join(lines[:301], ""))
	fresh := append([]string{lines[0]}, lines[301:401]...)
	fresh[5] = strings.Replace(fresh[5], strings.SplitN(fresh[5], ",", 2)[0], "nan", 1) // and one without a place
	write(t, filepath.Join(dir, "new.csv"), strings.Join(fresh, ""))
	write(t, filepath.Join(dir, "some.csv"), fresh[0]+strings.Join(fresh[11:21], ""))
	write(t, filepath.Join(dir, "none.csv"), fresh[0])
	ok(t, dir, "tsne", "old.csv", "--engine", "reference", "--units", "300", "--scale", "-o", "map.npy")
	into := func(in, out string, more ...string) {
		t.Helper()
		args := []string{"tsne", in, "--into", "old.csv", "--map", "map.npy", "--scale", "-o", out}
		ok(t, dir, append(args, more...)...)
	}
	into("new.csv", "placed.csv", "--threads", "1")
	into("some.csv", "part.csv", "--threads", "2", "--engine", "reference")
	all := strings.Split(text(t, filepath.Join(dir, "placed.csv")), "\n")
	part := strings.Split(text(t, filepath.Join(dir, "part.csv")), "\n")
	for i, line := range part[1:11] {
		if line != all[11+i] || !strings.Contains(line, ",") {
			t.Errorf("point %d is placed at %q alone and at %q among all", i, line, all[11+i])
		}
	}
	placed := read(t, filepath.Join(dir, "placed.csv"))
	if c := placed.Columns[0]; placed.Points != 100 || c.Stats.Invalid != 1 || c.Values[4] == c.Values[4] {
		t.Errorf("%d points, %d of them without a place", placed.Points, c.Stats.Invalid)
	}
	blossom(t, dir, "tsne", "new.csv", "--into", "old.csv", "--map", "placed.csv", "-o", "x.npy").refused(t, 1,
		"placed.csv", "row for each point")
}

// The edge cases of few, equal and invalid points, and what is said of them.
func TestTSNEFewPoints(t *testing.T) {
	dir := t.TempDir()
	for n := range 7 {
		for _, equal := range []bool{false, true} {
			var csv strings.Builder
			csv.WriteString("a,b,c\n")
			for i := range n {
				if equal {
					i = 0
				}
				fmt.Fprintf(&csv, "%d,%d,%d\n", i, i*i%5, 7-i)
			}
			write(t, filepath.Join(dir, "few.csv"), csv.String())
			r := blossom(t, dir, "tsne", "few.csv", "--columns", "a,b,c", "--engine", "reference", "--units", "60",
				"-o", "out.csv")
			if r.code != 0 {
				if n == 0 && r.code == 1 {
					continue // said in a line, as by the other commands
				}
				t.Errorf("%d points, equal %v: %+v", n, equal, r)
				continue
			}
			got := read(t, filepath.Join(dir, "out.csv"))
			if got.Points != n || n > 0 && got.Columns[0].Stats.Invalid > 0 {
				t.Errorf("%d points, equal %v: %d points, %d without a place", n, equal, got.Points,
					got.Columns[0].Stats.Invalid)
			}
			if n > 1 && !strings.Contains(r.stderr, "perplexity") {
				t.Errorf("%d points: nothing is said of the perplexity: %q", n, r.stderr)
			}
		}
	}
}

// The same seed gives the same bytes whatever the number of threads; another start is another map.
func TestTSNEIsDeterministic(t *testing.T) {
	dir := t.TempDir()
	run := func(out string, more ...string) string {
		ok(t, dir, append([]string{"tsne", "demo:tesseract:300", "--engine", "reference", "--units", "80", "-o", out},
			more...)...)
		return text(t, filepath.Join(dir, out))
	}
	one, two := run("a.npy", "--threads", "1"), run("b.npy", "--threads", "2")
	if one != two {
		t.Error("the number of threads changes the map")
	}
	for _, more := range [][]string{{"--start", "random"}, {"--start", "embedsom"}, {"--seed", "2"},
		{"--start", "a.npy", "--start-as", "keep"}, {"--start", "a.npy"}, {"--perplexity", "5"}, {"--eta", "20"}} {
		if run("c.npy", more...) == one {
			t.Errorf("%v makes the same map", more)
		}
	}
}

// Wrong values are refused in a line, with exit code 2, before work is done.
func TestTSNEWrong(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y,z\n1,2,3\n4,5,6\n7,8,10\n4,8,11\n")
	write(t, filepath.Join(dir, "two.csv"), "x,y\n1,2\n4,5\n")
	for line, word := range map[string]string{
		"--perplexity 0.5": "0.5", "--perplexity nan": "NaN", "--theta -1": "theta", "--dims 4": "4",
		"--start-as keep": "--start-as", "--start-as larger": "larger", "--accuracy rough": "rough",
		"--repulsion wide": "--repulsion wide", "--neighbours most": "most", "--into a.csv": "--map",
		"--exaggeration 0": "exaggeration", "--units -1": "units",
		"--into a.csv --map two.csv --dims 3": "--dims", "--at two.csv --units 5": "--units",
		"--eta -3": "learning rate", "--into a.csv --map two.csv --at two.csv": "--at",
	} {
		args := append([]string{"tsne", "a.csv", "--engine", "reference", "-o", "out.npy"}, strings.Fields(line)...)
		blossom(t, dir, args...).refused(t, exitUsage, word)
	}
	// A file that is not as it should be is no wrong usage, like landmarks that are not.
	write(t, filepath.Join(dir, "bad.csv"), "x,y\n1,2\nnan,5\n1,2\n3,4\n")
	write(t, filepath.Join(dir, "four.csv"), "a,b,c,d\n1,2,3,4\n1,2,3,4\n1,2,3,4\n1,2,3,4\n")
	for _, line := range []string{"--start gone.npy", "--start two.csv", "--at two.csv", "--start bad.csv",
		"--start four.csv"} {
		args := append([]string{"tsne", "a.csv", "--engine", "reference", "-o", "out.npy"}, strings.Fields(line)...)
		blossom(t, dir, args...).refused(t, exitFailed, strings.Fields(line)[1])
	}
}

// Interrupted before there is a map, --keep says that nothing could be kept, and leaves nothing.
func TestTSNEKeepBeforeThereIsAMap(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	dir := t.TempDir()
	var stdout, stderr bytes.Buffer
	code := execute(ctx, []string{"tsne", "demo:tesseract:300", "--engine", "reference", "--keep", "-o",
		filepath.Join(dir, "out.npy")}, &stdout, &stderr)
	if code != exitInterrupted || !strings.Contains(stderr.String(), "no map yet") || len(names(t, dir)) > 0 {
		t.Errorf("exit code %d, %q, files %q", code, stderr.String(), names(t, dir))
	}
}

// Errors name the file that is wrong, and say what would be possible.
func TestTSNESaysWhichFileAndHowMuch(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a.csv": "x,y,z\n1,2,3\n4,5,6\n7,8,10\n4,8,11\n", "fresh.csv": "x,y\n1,2\n4,5\n", "one.csv": "x\n1\n2\n3\n4\n",
		"map.csv": "x,y\n1,2\n4,5\n1,2\n4,5\n", "far.csv": "x,y\n1,2\n4,1e30\n1,2\n4,5\n",
		"spot.csv": "x,y\n1,2\n1,2\n1,2\n1,2\n", "empty.csv": "x,y,z\n",
	} {
		write(t, filepath.Join(dir, name), text)
	}
	said := func(line string) (code int, out, text string) {
		var stdout, stderr bytes.Buffer
		args := strings.Fields(line)
		for i, a := range args {
			if strings.HasSuffix(a, ".csv") || strings.HasSuffix(a, ".npy") {
				args[i] = filepath.Join(dir, a)
			}
		}
		code = execute(t.Context(), append(args, "--engine", "reference"), &stdout, &stderr)
		return code, stdout.String(), stderr.String()
	}
	for line, words := range map[string][]string{
		"--at far.csv":                       {"far.csv: point 2", "1e+09"},
		"--start far.csv --start-as keep":    {"far.csv: point 2"},
		"--start one.csv":                    {"one.csv: it has 1 column,"},
		"--perplexity 1e10":                  {"1e9"},
		"--exaggeration 1e10":                {"1e6"},
		"--eta 1e15":                         {"1e12"},
		"--theta 100":                        {"0 to 10"},
		"--dims 1":                           {"2 or 3 dimensions, not 1"},
		"--repulsion exact --start gone.npy": {"gone.npy"},
	} {
		code, _, text := said("tsne a.csv -o out.npy " + line)
		for _, word := range words {
			if code == 0 || !strings.Contains(text, word) {
				t.Errorf("%s: exit code %d, %q", line, code, text)
			}
		}
	}
	_, _, text := said("tsne fresh.csv --into a.csv --map map.csv -o out.npy")
	if strings.Contains(text, "landmarks") || !strings.Contains(text, "the map of the points in") {
		t.Errorf("other columns: %q", text)
	}
	if _, _, text = said("tsne a.csv --start spot.csv --units 3 -o out.npy"); !strings.Contains(text, "at one place") {
		t.Errorf("a start at one place: %q", text)
	}
	// No points are no map and no clusters, and no error; what was not computed is null.
	var s struct {
		KL, Z, Perplexity, RNX *float64
		Units                  *int
	}
	code, out, text := said("tsne empty.csv --json -o out.npy")
	parse(t, out, &s)
	if code != 0 || s.KL != nil || s.Z != nil || s.Perplexity != nil || s.Units == nil {
		t.Errorf("no points: exit code %d, %s%s", code, out, text)
	}
	code, out, text = said("tsne a.csv --into a.csv --map map.csv --json -o out.npy")
	parse(t, out, &s)
	if code != 0 || s.KL != nil || s.Perplexity != nil || !strings.Contains(out, `"units": null`) ||
		!strings.Contains(out, `"trustworthiness_k": null`) {
		t.Errorf("placed: exit code %d, %s%s", code, out, text)
	}
	if got := tsneSays(t, "demo:cytometry:300", "--units", "3", "-o", filepath.Join(dir, "m.npy")); got.TrustedK != 12 {
		t.Errorf("trustworthiness is at %d", got.TrustedK)
	}
}
