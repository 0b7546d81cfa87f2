package job

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/page"
	"blossom/model/landmarks/train"
	"blossom/model/maps/layout"
)

// facts are parameters, for a page.
type facts []page.Fact

func (f *facts) say(of, name, format string, args ...any) {
	*f = append(*f, page.Fact{Of: of, Name: name, Value: fmt.Sprintf(format, args...)})
}

// ofMap says how landmarks were made and how points are placed by them.
func (f *facts) ofMap(w *Work) {
	l := w.Landmarks
	f.say("landmarks", "number", "%d in %s", l.Set.Len(), problem.Count(l.Set.Codebook.Cols, "column"))
	if l.Shape != "" {
		f.say("landmarks", "shape", "%s %s", l.Shape, l.Topology)
	}
	f.say("landmarks", "arranged by hand", "%s", map[bool]string{true: "yes", false: "no"}[l.Set.ByHand])
	t := parts.Training.Of(w.Parts)
	if a, ok := train.ByID(t.Algorithm); ok {
		f.say("training", "by", "%s", a.Title)
		for _, x := range a.Params {
			if v, said := t.Values[x.ID]; said {
				f.say("training", strings.ToLower(x.Title), "%s", chosen(x, v))
			}
		}
	}
	f.ofLayout(w)
	k := parts.Projection.Of(w.Parts)
	f.say("projection", "neighbours k", "%d", k.K)
	f.say("projection", "boost", "%g", k.Boost)
	f.say("projection", "adjust", "%g", k.Adjust)
}

// ofLayout says how landmarks are laid out once they are trained, and what was chosen beside that.
func (f *facts) ofLayout(w *Work) {
	tell := func(name string, a layout.Algorithm) {
		f.say("layout", name, "%s", a.Title)
		values := parts.Layout.Of(w.Parts).For(a, w.Landmarks.Set.Len())
		for _, x := range a.Params {
			f.say("layout", strings.ToLower(x.Title), "%s", chosen(x, values.Get(x)))
		}
	}
	after, ok := laidOutBy(w.Wanted, w.Parts)
	if ok {
		tell("after training", after)
	} else {
		f.say("layout", "after training", "none")
	}
	c := parts.Layout.Of(w.Parts)
	if a, known := layout.ByID(c.Algorithm); known && a.ID != after.ID && !c.Usual() {
		tell("chosen since", a)
	}
}

// laidOutBy is the layout that landmarks are laid out by after their training: that which the job wants where it trains
// them, else that of the document.
func laidOutBy(wanted []Want, now state.State) (layout.Algorithm, bool) {
	for _, x := range wanted {
		if l, ok := x.(*Landmarks); ok {
			return layout.ByID(l.Layout)
		}
	}
	return layout.ByID(parts.Training.Of(now).Then)
}

// chosen is the value of a parameter as its form shows it: the name of a choice, the word for 0, or the number.
func chosen(x step.Param, v float64) string {
	switch {
	case len(x.Choices) > 0:
		return strings.ToLower(x.Choices[min(max(int(v), 0), len(x.Choices)-1)])
	case v == 0 && x.Zero != "":
		return x.Zero
	}
	return strconv.FormatFloat(v, 'g', 6, 64)
}

// called is what a column is called in the window: its label where it has one, with its own name beside that.
func called(ds *dataset.Dataset, name string) string {
	for i := range ds.Columns {
		if c := &ds.Columns[i]; c.Name == name && c.Short() != name {
			return fmt.Sprintf("%s (%s)", c.Short(), name)
		}
	}
	return name
}

// grouped is a number of things with commas between thousands: "19,225 points".
func grouped(n int, thing string) string {
	_, words, _ := strings.Cut(problem.Count(n, thing), " ")
	return problem.Grouped(int64(n)) + " " + words
}

// reading is a measured value as people read it, with three digits at least and no power of ten where it is of a usual
// size: "13.3", "−7.83", "2,340".
func reading(x float64) string {
	a := math.Abs(x)
	if a != 0 && (a < 1e-4 || a >= 1e9) || a-a != 0 {
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	decimals := 0
	if a > 0 {
		decimals = max(0, 2-int(math.Floor(math.Log10(a))))
	}
	text := strconv.FormatFloat(a, 'f', decimals, 64)
	whole, rest, dot := strings.Cut(text, ".")
	n, _ := strconv.ParseInt(whole, 10, 64)
	text = problem.Grouped(n)
	if dot {
		text += "." + rest
	}
	if x < 0 && strings.Trim(text, "0.") != "" {
		text = "−" + text
	}
	return text
}
