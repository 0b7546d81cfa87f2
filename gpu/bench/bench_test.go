package bench

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/gpu/bench/contest"
	"blossom/gpu/bench/table"
	"blossom/gpu/reference"
	"blossom/model/base/matrix"
	"blossom/model/job/run"
	"blossom/model/landmarks/landmark"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
)

// silent is a run whose rows stay where they are, and which says nothing.
func silent(v Values) *Run {
	return &Run{Values: v, Tools: Tools{}.until(context.Background()), tell: func(*Run) {}}
}

// told are the rows of a run.
func told[R any](t *testing.T, v Values, f func(context.Context, *Run) error) (rows []R) {
	t.Helper()
	r := silent(v)
	r.tell = func(r *Run) { rows = append(rows, rowsOf[R](r.rows)...) }
	if err := f(t.Context(), r); err != nil {
		t.Fatal(err)
	}
	r.Tell()
	return rows
}

// session runs a measure and returns what is printed.
func session(t *testing.T, s *Session, m Measure, v Values) (string, error) {
	t.Helper()
	var out bytes.Buffer
	s.Out = bufio.NewWriter(&out)
	err := s.Measure(t.Context(), []*Measure{&m}, v, nil)
	s.Out.Flush()
	return out.String(), err
}

// pace is rows of a measure that takes no time.
func pace(name string, ns float64) table.Row {
	return table.Row{Bench: "pace", Variant: name, N: 10, Median: ns}
}

var paces = Measure{Name: "pace", Columns: []table.Column{
	table.Word("pace", func(r table.Row) string { return r.Variant }),
	table.Size("points", func(r table.Row) int { return r.N }),
	table.Failure(func(r table.Row) string { return r.Failed }),
	table.Value("ns", func(r table.Row) float64 { return r.Median }),
	table.Text("ratio", func(r table.Row) string { return r.Times() }),
}, Run: func(_ context.Context, r *Run) error {
	r.Add(pace("slow", 20))
	r.Tell()
	fast := pace("fast", 5)
	fast.Compare("slow", 20)
	r.Add(fast)
	broken := pace("broken", 0)
	broken.Failed = "no\nreason"
	r.Add(broken)
	return nil
}}

// Rows that were told together are a table; a column without anything is left out, and a README has one table.
func TestRowsAreToldAsTablesAndNumbers(t *testing.T) {
	file := filepath.Join(t.TempDir(), "numbers.json")
	s := Session{Numbers: Numbers{Machine: Machine{CPU: "abacus", Cores: 1}}, File: file}
	text, err := session(t, &s, paces, nil)
	if want := "abacus, 1 cores\n\npace  points    ns\nslow      10  20.0\n\npace    points    ns  ratio\n" +
		"fast        10  5.00  4.00x\nbroken      10  failed: no reason\n"; err != nil || text != want {
		t.Errorf("printed %v:\n%s\nwant\n%s", err, text, want)
	}
	s.JSON = true
	whole, err := session(t, &s, paces, nil)
	if saved, _ := os.ReadFile(file); err != nil || whole != string(saved) || !json.Valid(saved) ||
		strings.Count(whole, `"bench": "pace"`) != 3 {
		t.Errorf("%v, the file is not what is printed:\n%s\n%s", err, whole, saved)
	}
	text, _ = session(t, &Session{Readme: true}, paces, nil)
	if !strings.HasSuffix(text, "\n\n| pace | points | ns | ratio |\n| --- | --- | --- | --- |\n"+
		"| slow | 10 | 20.0 |  |\n| fast | 10 | 5.00 | 4.00x |\n| broken | 10 | failed: no reason |  |\n") {
		t.Errorf("for a README:\n%s", text)
	}
}

// A failure keeps what was measured before it; a failure before that is all there is.
func TestAFailureKeepsWhatWasMeasured(t *testing.T) {
	failed := errors.New("no more")
	m := paces
	m.Run = func(_ context.Context, r *Run) error {
		r.Add(pace("slow", 1))
		return failed
	}
	if text, err := session(t, &Session{}, m, nil); !strings.Contains(text, "slow") || err != failed {
		t.Errorf("%v: %s", err, text)
	}
	m.Run = func(context.Context, *Run) error { return failed }
	if text, err := session(t, &Session{JSON: true}, m, nil); text != "" || err != failed {
		t.Errorf("%v: %s", err, text)
	}
}

// stuck is an engine whose search never ends where there are more than ten landmarks.
type stuck struct{ engine.Engine }

type stuckPoints struct{ engine.Resident }

func (s stuck) Load(ctx context.Context, x matrix.Source) (engine.Resident, error) {
	res, err := s.Engine.Load(ctx, x)
	return stuckPoints{res}, err
}

func (s stuckPoints) Neighbours(ctx context.Context, l *landmark.Set, p embedsom.Params, r engine.Range) error {
	if l.Len() > 10 {
		select {}
	}
	return s.Resident.Neighbours(ctx, l, p, r)
}

// A call that does not listen to Ctrl-C does not keep what was measured from being told.
func TestAnInterruptDoesNotWaitForACall(t *testing.T) {
	engine.Register(engine.Registration{Name: "stuck", Priority: -9,
		Probe: func(engine.Options) (bool, string, string) { return false, "it is for a test", "" },
		New: func(o engine.Options) (engine.Engine, error) {
			e, err := reference.New(o)
			return stuck{e}, err
		},
	})
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	m := &Measure{Name: "stuck", Run: func(ctx context.Context, r *Run) error {
		_, err := contest.Embed(ctx, contest.Options{Shapes: []contest.Shape{{N: 100, D: 3, G: 9, K: 4},
			{N: 100, D: 3, G: 16, K: 4}}, Contenders: []contest.Contender{{Engine: "stuck"}}, Repeats: 3,
			Each: func(rows []contest.Row) {
				for _, row := range rows {
					r.Add(row)
				}
				r.Tell()
			}})
		return err
	}}
	sizes := 0
	err := attend(ctx, m, &Run{}, func(r *Run) {
		if rows := rowsOf[contest.Row](r.rows); len(rows) != len(contest.Stages) || rows[0].G != 9 {
			t.Errorf("%+v", rows)
		}
		sizes++
		cancel()
	})
	if !errors.Is(err, context.Canceled) || sizes != 1 {
		t.Errorf("%d sizes, %v", sizes, err)
	}
}

// Every measure has a title, a help and columns, and flags with a help and a kind that a command line knows.
func TestMeasuresAreWhole(t *testing.T) {
	if !slices.IsSorted(Names()) || len(Names()) < 9 {
		t.Errorf("measures %q", Names())
	}
	for _, m := range All() {
		if m.Title == "" || len(m.Help) < 100 || len(m.Columns) < 5 {
			t.Errorf("bench %s says too little of itself", m.Name)
		}
		for _, f := range m.Flags {
			switch f.Default.(type) {
			case bool, int, string, []int, []string:
			default:
				t.Errorf("bench %s: --%s is of type %T", m.Name, f.Name, f.Default)
			}
			if f.Help == "" || strings.Count(f.Help, "`")%2 != 0 {
				t.Errorf("bench %s: --%s: %q", m.Name, f.Name, f.Help)
			}
		}
	}
}

// Numbers of points that are none, and more than there is memory for, are wrong usage before anything is measured.
func TestImpossibleSizesAreRefused(t *testing.T) {
	for _, m := range All() {
		f, has := m.flag("points")
		for _, n := range []int{0, -1, 1 << 40} {
			var wrong run.Usage
			if err := f.Check(n); has && !errors.As(err, &wrong) {
				t.Errorf("bench %s --points %d: %v", m.Name, n, err)
			}
		}
	}
	for name, v := range map[string]Values{
		"cluster": {"shape": []string{"100000000x10000"}},
		"embed":   {"points": 1 << 28, "shape": []string{"60000", "9", "5"}},
	} {
		m := measures[name]
		var wrong run.Usage
		err := m.Run(t.Context(), silent(v))
		if !errors.As(err, &wrong) || !strings.Contains(fmt.Sprint(err), "memory") {
			t.Errorf("bench %s %v: %v", name, v, err)
		}
	}
}
