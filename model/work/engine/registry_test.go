package engine

import (
	"context"
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// made is an engine of the registrations below.
type made struct {
	name string
	o    Options
}

func (m made) Name() string    { return m.name }
func (m made) Variant() string { return m.o.Variant }
func (m made) Device() string  { return "a test" }
func (m made) Close() error    { return nil }
func (m made) Load(context.Context, matrix.Source) (Resident, error) {
	return nil, errors.New("nothing is loaded here")
}

// started are those that have begun what takes a while.
var started = make(chan string, 10)

// broken engines are to be found and cannot be opened.
var broken = map[string]bool{}

func announce(name string, priority int, more func(*Registration)) {
	r := Registration{Name: name, Priority: priority,
		Probe: func(Options) (bool, string, string) { return true, "", "a test" },
		New: func(o Options) (Engine, error) {
			if broken[name] {
				return nil, errors.New("it is broken")
			}
			return made{name, o}, nil
		}}
	if more != nil {
		more(&r)
	}
	Register(r)
}

func init() {
	announce("wide", 10, func(r *Registration) {
		r.Title, r.Limits = "Wide", Limits{Landmarks: 100}
		r.Variants = func() []string { return []string{"quick", "plain"} }
	})
	announce("fast", 20, func(r *Registration) {
		r.Kind, r.Limits = Card, Limits{Landmarks: 6, Columns: 3}
		r.Variants = func() []string { return []string{"tiles", "plain"} }
		r.Kernels = func() (knn, projection []string) { return []string{"a"}, []string{"b"} }
		r.Start = func(o Options) { started <- r.Name + o.Variant }
	})
	announce("single", 0, nil)
	announce("absent", 30, func(r *Registration) {
		r.Kind, r.Start = Card, func(Options) { started <- "absent" }
		r.Prefer = func(Options) bool { return false }
		r.Probe = func(Options) (bool, string, string) { return false, "there is none", "" }
	})
}

// The engine that is named is started, or those that may be chosen are, and each is told for what.
func TestEnginesStartBesideOtherWork(t *testing.T) {
	for _, by := range []struct{ name, want string }{{"fast", "fasttiles"}, {Auto, "fasttiles"}, {"", "fasttiles"},
		{"absent", "absent"}} { // which is named, and will say why it is not there
		Start(by.name, Options{Variant: "tiles"})
		if got := <-started; got != by.want {
			t.Errorf("%q: %s has started", by.name, got)
		}
	}
	Start("single", Options{})
	Start("nobody", Options{})
	if len(started) > 0 {
		t.Errorf("%s has started", <-started)
	}
}

func TestRegistry(t *testing.T) {
	if got := Names(); !slices.Equal(got, []string{Auto, "absent", "fast", "wide", "single"}) {
		t.Errorf("names %v: the highest priority comes first", got)
	}
	if r, ok := Named("wide"); !ok || r.Title != "Wide" {
		t.Errorf("%+v %v", r, ok)
	}
	if r, ok := Named("single"); !ok || r.Title != "single" {
		t.Errorf("an engine without a title is called %q", r.Title)
	}
	if r, ok := Named("nobody"); ok || r.Title != "nobody" {
		t.Errorf("%+v %v", r, ok)
	}
	if got := other(Limits{6, 3}, 50, 2); got != ", or engine wide" {
		t.Errorf("50 landmarks: %q", got)
	}
	if got := other(Limits{6, 3}, 500, 2); got != ", or engine single" {
		t.Errorf("500 landmarks: %q", got)
	}
	defer func() {
		if recover() == nil {
			t.Error("a name can be taken twice")
		}
	}()
	announce("wide", 1, nil)
}

func TestPin(t *testing.T) {
	for _, c := range []struct{ name, variant, engine, pinned, wrong string }{
		{"auto", "", "auto", "", ""},
		{"wide", "", "wide", "", ""},
		{"auto", "quick", "wide", "quick", ""},
		{"", "plain", "fast", "plain", ""}, // the first that has it
		{"wide", "plain", "wide", "plain", ""},
		{"auto", "wide/plain", "wide", "plain", ""},
		{"wide", "wide/plain", "wide", "plain", ""},
		{"fast", "wide/plain", "", "", "not of engine fast: leave one"},
		{"wide", "tiles", "", "", "no variant wide/tiles here: use one of fast/tiles, fast/plain, wide/quick"},
		{"single", "plain", "", "", "no variant single/plain"},
		{"auto", "nobody/plain", "", "", "no variant nobody/plain"},
		{"auto", "odd", "", "", "no variant odd here"},
	} {
		name, pinned, err := Pin(c.name, c.variant)
		if name != c.engine || pinned != c.pinned || (err == nil) != (c.wrong == "") {
			t.Errorf("%q, %q: %q %q %v", c.name, c.variant, name, pinned, err)
		}
		var p *problem.Problem
		if err != nil && (!errors.As(err, &p) || !strings.Contains(err.Error(), c.wrong)) {
			t.Errorf("%q, %q: %v", c.name, c.variant, err)
		}
	}
}

// Beside a window, which one card draws, another engine has the other cards; elsewhere it shares all.
func TestAnotherHasTheCardsThatDoNotDraw(t *testing.T) {
	for _, c := range []struct{ have, want Options }{
		{Options{Window: true, Device: 2, Beside: []int{0, 1}}, Options{Device: 0, Beside: []int{1}}},
		{Options{Window: true, Device: 2}, Options{Device: 2}},
		{Options{Device: 2, Beside: []int{0, 1}}, Options{Device: 2, Beside: []int{0, 1}}},
	} {
		e, err := Open("fast", c.have)
		if err != nil {
			t.Fatal(err)
		}
		other, err := e.Another()
		if err != nil {
			t.Fatal(err)
		}
		if name, o := e.Elsewhere(); name != "fast" || !reflect.DeepEqual(o, other.(made).o) {
			t.Errorf("%+v: elsewhere it is %s with %+v", c.have, name, o)
		}
		if o := other.(made).o; o.Window || o.Device != c.want.Device || !slices.Equal(o.Beside, c.want.Beside) {
			t.Errorf("%+v: another has %+v", c.have, o)
		}
	}
}

// A variant and kernels are of the engine they were chosen for; another that takes over has its own.
func TestChooserKeepsVariantsToTheirEngine(t *testing.T) {
	c, err := Open("fast", Options{Variant: "tiles", Knn: "a", Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	if e := c.Engine().(made); e.o.Variant != "tiles" || e.o.Knn != "a" || e.o.Threads != 3 {
		t.Errorf("%+v", e.o)
	}
	if !c.Next() || c.Engine().Name() != "wide" {
		t.Fatalf("the next is %s", c.Engine().Name())
	}
	if name, o := c.Elsewhere(); name != "wide" || o.Variant != "" || o.Threads != 3 {
		t.Errorf("elsewhere it is %s with %+v", name, o)
	}
	if e := c.Engine().(made); e.o.Variant != "" || e.o.Knn != "" || e.o.Threads != 3 {
		t.Errorf("%+v", e.o)
	}
	for _, x := range c.Choices() {
		if r, _ := Named(x.Name); x.Title != r.Title || x.Current != (x.Name == "wide") ||
			(x.Why != "") != (x.Name == "absent") {
			t.Errorf("%+v", x)
		}
	}
	if err := c.Choose("fast"); err != nil || c.Engine().Variant() != "tiles" {
		t.Errorf("back on its engine the variant is %q (%v)", c.Engine().Variant(), err)
	}
	for _, name := range []string{"absent", "nobody"} {
		var p *problem.Problem
		if err := c.Choose(name); !errors.As(err, &p) || c.Engine().Name() != "fast" {
			t.Errorf("%s: %v; now on %s", name, err, c.Engine().Name())
		}
	}
	broken["fast"], broken["wide"], broken["single"] = true, true, true
	defer clear(broken)
	if c.Next() {
		t.Errorf("all are broken, and %s is in use", c.Engine().Name())
	}
	if _, err := Open(Auto, Options{}); err == nil {
		t.Error("no engine works, and one is open")
	}
}
