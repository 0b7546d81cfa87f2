package bench

import (
	"fmt"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// Flag is one of a measure. What Default is, so is the flag: a bool, int, string, []string, or []int, of which several
// are written 0,1.
type Flag struct {
	Name        string
	Help        string // with its `placeholder`
	Default     any
	Least, Most int  // range of an int that is given; Most 0: any from 0
	Reads       bool // its text is the name of a file that is read
}

// Check refuses a value that was given and is out of range, as a Usage error.
func (f Flag) Check(v any) error {
	n, is := v.(int)
	switch {
	case !is || n >= f.Least && (f.Most == 0 || n <= f.Most):
		return nil
	case f.Most == 0:
		return usage(fmt.Sprintf("give a number from %d, or leave it out", f.Least), "--%s %d is not possible", f.Name,
			n)
	}
	return usage(fmt.Sprintf("give %d to %d, or leave it out", f.Least, f.Most), "--%s %d is not possible", f.Name, n)
}

func usage(remedy, format string, args ...any) error {
	return run.Usage{Err: problem.New("", remedy, format, args...)}
}

// Union are the flags of several measures, each once.
func Union(of []*Measure) (union []Flag) {
	for _, m := range of {
		for _, f := range m.Flags {
			if slices.ContainsFunc(union, func(u Flag) bool { return u.Name == f.Name }) {
				continue
			}
			var names []string
			same := true
			for _, other := range of {
				if g, has := other.flag(f.Name); has {
					names, same = append(names, other.Name), same && g.Help == f.Help
				}
			}
			switch {
			case !same:
				f.Help = "of " + strings.Join(names, ", ") + ": see the help of each"
			case len(names) < len(of):
				f.Help = strings.Join(names, ", ") + ": " + f.Help
			}
			f.Least, f.Most = 0, 0
			union = append(union, f)
		}
	}
	slices.SortFunc(union, func(a, b Flag) int { return strings.Compare(a.Name, b.Name) })
	return union
}

// Values are what flags were set to, by their names; what is not there is as if it were left out.
type Values map[string]any

func (v Values) Int(name string) int       { n, _ := v[name].(int); return n }
func (v Values) Bool(name string) bool     { b, _ := v[name].(bool); return b }
func (v Values) Text(name string) string   { s, _ := v[name].(string); return s }
func (v Values) List(name string) []string { l, _ := v[name].([]string); return l }

// points returns the numbers of points to measure: the one that was asked for, or the usual ones.
func (v Values) points(usual ...int) []int {
	if n := v.Int("points"); n > 0 {
		return []int{n}
	}
	return usual
}

// cards are the first card and those beside it.
func (v Values) cards() (first int, beside []int) {
	if all, _ := v["device"].([]int); len(all) > 0 {
		return all[0], all[1:]
	}
	return 0, nil
}

// Flags that several measures have.
var (
	threadsFlag = Flag{Name: "threads", Default: 0, Help: "processor threads to use (default: all)"}
	deviceFlag  = Flag{Name: "device", Default: []int{0},
		Help: "which NVIDIA card, `N` from 0, where there are several, or which of them together: 0,1"}
)

// pointsFlag is --points, of so many.
func pointsFlag(least, most int, help string) Flag {
	return Flag{Name: "points", Default: 0, Least: least, Most: most, Help: help}
}

// quickFlag is --quick.
func quickFlag(help string) Flag { return Flag{Name: "quick", Default: false, Help: help} }

// engineFlag is --engine; also says which others it takes, and what is measured without it.
func engineFlag(also string) Flag {
	return Flag{Name: "engine", Default: "", Help: "measure this `engine` only; blossom doctor lists them" + also}
}

// most is more points than any machine measures.
const most = 1 << 28
