package transform

import (
	"bufio"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"blossom/model/base/oracle"

	"pgregory.net/rapid"
)

// vectors is the folder of the exact values of scales, of the files beside the tree.
func vectors(t *testing.T) string { return filepath.Join(oracle.Formats(t), "vectors") }

// sample is a scale with exact places of values.
type sample struct {
	T, W, M, A float64
	X, Y       []json.RawMessage
}

// Places on the scales of Gating-ML are those of their definitions in 60 digits, to 1e-12.
func TestScalesMeetTheirDefinitions(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(vectors(t), "transforms.json"))
	if err != nil {
		t.Fatal(err)
	}
	var raw map[string]json.RawMessage
	if err := json.Unmarshal(text, &raw); err != nil {
		t.Fatal(err)
	}
	known := map[string]struct {
		op     ID
		params func(s sample) Params
	}{
		"logicle":  {Logicle, func(s sample) Params { return Params{s.T, s.W, s.M, s.A} }},
		"hyperlog": {Hyperlog, func(s sample) Params { return Params{s.T, s.W, s.M, s.A} }},
		"asinh":    {Fasinh, func(s sample) Params { return Params{s.T, s.M, s.A} }},
		"log":      {Flog, func(s sample) Params { return Params{s.T, s.M, 1e-300} }},
		"linear":   {Flin, func(s sample) Params { return Params{s.T, s.A} }},
	}
	values := 0
	for name, of := range raw {
		k, ok := known[name]
		if !ok {
			continue
		}
		var list []map[string]json.RawMessage // a is another number than A
		if err := json.Unmarshal(of, &list); err != nil {
			t.Fatal(name, err)
		}
		for _, member := range list {
			var s sample
			for key, to := range map[string]any{"T": &s.T, "W": &s.W, "M": &s.M, "A": &s.A, "x": &s.X, "y": &s.Y} {
				if raw := member[key]; raw != nil {
					if err := json.Unmarshal(raw, to); err != nil {
						t.Fatal(name, key, err)
					}
				}
			}
			c := Column{Op: k.op, Params: k.params(s), Weight: 1}
			if why := ByID(k.op).wrong(c.Params); why != "" {
				t.Errorf("%s: %s", c, why)
				continue
			}
			f := FunctionOf(nil, c)
			place := ByID(k.op).Standard(f.Params).Place
			for i, raw := range s.X {
				x, okX := figure(raw)
				want, okY := figure(s.Y[i])
				if !okX || !okY { // no number: the log of what is at or below zero
					continue
				}
				values++
				if got := place(f.Forward(x)); math.Abs(got-want) > 1e-12 {
					t.Errorf("%s: %g is at %.17g, want %.17g", c, x, got, want)
				}
			}
		}
		delete(known, name)
	}
	if len(known) > 0 || values < 400 {
		t.Errorf("%d values were compared; missing: %v", values, known)
	}
}

// figure is a number of JSON, which may be one of its own words.
func figure(raw json.RawMessage) (x float64, ok bool) {
	x, err := strconv.ParseFloat(strings.Trim(string(raw), "\""), 64)
	return x, err == nil && x-x == 0
}

// The table of biex is that which FlowJo exports, to 5e-6 of the top.
func TestBiexIsTheTableOfFlowJo(t *testing.T) {
	file, err := os.Open(filepath.Join(vectors(t), "flowjo_biex_w-7.943282_n1_p4.41854_t262144.000029.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	x, _, _ := biexTable(Params{-7.943282, 1, 4.41854, 262144.000029})
	lines, rows := bufio.NewScanner(file), 0
	for lines.Scan() {
		place, value, _ := strings.Cut(lines.Text(), ",")
		k, err := strconv.Atoi(place)
		if err != nil {
			continue // the head
		}
		want, err := strconv.ParseFloat(value, 64)
		if err != nil {
			t.Fatal(err)
		}
		rows++
		if off := math.Abs(x[k] - want); off > 5e-6*math.Abs(want)+5e-4 {
			t.Errorf("place %d stands for %.9g, want %g", k, x[k], want)
		}
	}
	if rows != 4096 {
		t.Errorf("the table has %d rows", rows)
	}
}

// genScale is a scale of Gating-ML with any numbers that it takes, or biex.
func genScale(t *rapid.T) Column {
	c := Column{Op: rapid.SampledFrom([]ID{Logicle, Hyperlog, Fasinh, Flog, Flin, Biex}).Draw(t, "op"), Weight: 1}
	p := genLogicle(t).Params
	switch c.Op {
	case Logicle:
		c.Params = p
	case Hyperlog:
		if c.Params = p; p[scaleW] < 1e-3 {
			c.Params[scaleW], c.Params[scaleA] = 1e-3, 0
		}
		c.Params[scaleM] = max(c.Params[scaleM], 0.2)
	case Fasinh:
		c.Params = Params{p[scaleT], p[scaleM], rapid.Float64Range(0, p[scaleM]).Draw(t, "A")}
	case Flog:
		c.Params = Params{p[scaleT], p[scaleM], 1e-300}
	case Flin:
		c.Params = Params{p[scaleT], rapid.Float64Range(0, p[scaleT]).Draw(t, "A")}
	case Biex:
		c.Params = Params{-math.Pow(10, rapid.Float64Range(0, 3).Draw(t, "width")),
			rapid.Float64Range(0, 2).Draw(t, "negative"), rapid.Float64Range(3, 6).Draw(t, "positive"), p[scaleT]}
	}
	if why := ByID(c.Op).wrong(c.Params); why != "" {
		t.Fatal(c, why)
	}
	return c
}

// Values up to four times the top come back, a larger one never lies lower, and what is no number stays what it is.
func TestScalesRiseAndLeadBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genScale(t)
		f := FunctionOf(nil, c)
		top := c.Params[scaleT]
		if c.Op == Biex {
			top = c.Params[biexTop]
		}
		size := 4 * top * math.Pow(10, rapid.Float64Range(-12, 0).Draw(t, "size"))
		x := size * float64(rapid.SampledFrom([]int{1, -1}).Draw(t, "sign"))
		if c.Op == Flog {
			x = size // below, all values are the floor
		}
		y := f.Forward(x)
		if c.Op != Biex || f.Inverse(math.MaxFloat32) > x && f.Inverse(-math.MaxFloat32) < x { // it ends there
			slack := 1e-9 * size
			if c.Op == Flin || c.Op == Biex { // the rounding is a share of the whole
				slack += 1e-15 * top
			}
			if back := f.Inverse(y); math.Abs(back-x) > slack {
				t.Fatalf("%s: %g comes back as %g", c, x, back)
			}
		}
		if larger := f.Forward(x + 1e-6*size); larger < y {
			t.Fatalf("%s: %g lies at %g, a larger value at %g", c, x, y, larger)
		}
		none, lowest, highest := f.Forward(math.NaN()), f.Forward(math.Inf(-1)), f.Forward(math.Inf(1))
		if none == none || !math.IsInf(lowest, -1) || !math.IsInf(highest, 1) {
			t.Fatalf("%s: what is no number became %g, %g, %g", c, none, lowest, highest)
		}
	})
}

// The fast way for many values is the exact one, to 2e-10 of a unit whatever the numbers are, and never falls after
// rounding to float32.
func TestManyValuesAreTransformedAsOneIs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := genScale(t)
		var e even
		switch c.Op {
		case Logicle:
			e = biexponential(c.Params)
		case Hyperlog:
			e = hyperlog(c.Params)
		default:
			t.Skip("the same way for many")
		}
		fast := e.pieces()
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		for range 200 {
			x := math.Copysign(16*e.t*math.Pow(10, -14*r.Float64()), r.Float64()-0.5)
			want, got := e.forward(x), fast.at(x)
			if math.Abs(got-want) > 2e-10*max(1, math.Abs(want)) {
				t.Fatalf("%s: %g lies at %.17g, exactly at %.17g", c, x, got, want)
			}
			next := math.Nextafter32(float32(x), float32(math.Inf(1)))
			if a, b := float32(fast.at(float64(float32(x)))), float32(fast.at(float64(next))); b < a {
				t.Fatalf("%s: %g lies at %g, the next value at %g", c, x, a, b)
			}
		}
	})
}

// At the numbers that instruments have the fast way errs by less than 3e-13.
func TestUsualScalesAreFastWithinTheirPromise(t *testing.T) {
	worst := 0.0
	for _, p := range []Params{{262144, 0.5, 4.5}, {262144, 1.5, 4.5}, {262144, 0, 4.5}} {
		e := biexponential(p)
		fast := e.pieces()
		r := rand.New(rand.NewPCG(7, 7))
		for range 20000 {
			x := p[scaleT] * math.Pow(10, -9*r.Float64())
			worst = max(worst, math.Abs(e.forward(x)-fast.at(x)))
		}
	}
	if worst > 3e-13*10.4 { // 3e-13 of the scale from 0 to 1, which is 4.5 ln 10 long
		t.Errorf("the fast way errs by %g", worst)
	}
}

// Wrong numbers are told with their limits.
func TestWrongNumbersOfScalesSayTheLimits(t *testing.T) {
	for text, want := range map[string]string{
		"logicle:1000:3:4:0":     "0 <= W <= 2",
		"logicle:1000:-0.5":      "0 <= W <= 2.25",
		"logicle:1000:1:4:2.5":   "-1 <= A <= 2",
		"logicle:1000:1:25":      "0.1 <= M <= 20",
		"logicle:-1":             "above 0",
		"hyperlog:1000:0:4":      "0 < W <= 2",
		"hyperlog:1000:1:4:-1.5": "-1 <= A <= 2",
		"fasinh:1000:4:5":        "0 <= A <= 4",
		"flog:1000:0":            "0.1 <= M <= 20",
		"flin:1000:1001":         "0 <= A <= T",
		"biex:10":                "WIDTH <= -1",
		"biex:-10:-21":           "-20 <= NEG <= 20",
		"biex:-1e5:0:2":          "leaves nothing",
		"logicle:a":              "not a number",
		"fasinh:auto:auto":       "not a number",
	} {
		if _, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}
