package transform

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"blossom/model/base/step"
	"blossom/model/data/dataset"
)

// ID names an op, as text and files write it.
type ID string

// None is the op of the zero Column, which leaves values as they are. Text and files call it "none".
const None ID = ""

func (id ID) String() string {
	if id == None {
		return "none"
	}
	return string(id)
}

// MaxParams bounds the numbers of an op.
const MaxParams = 6

// Params are the numbers of an op, in the order of Op.Params; those that it does not have are 0.
type Params [MaxParams]float64

// Param describes one number of an op: from it come its place in the text, its help and its row in the
// window. Its range is that of the row; what is possible at all, Op.Wrong says.
type Param struct {
	step.Param
	Typed bool // a number to be typed: its range is none of a slider
	Auto  bool // AutoAt means that Op.Resolve takes it from the data; at the end it is not printed
	// AutoAt is the value that stands for one of the data, 0 unless that is a number of its own. Text calls it "auto".
	AutoAt float64
	// Seldom is that of a number that few change: at the end it is printed only where it is not the default.
	Seldom bool
}

// Auto is what text calls a number that is taken from the data.
const Auto = "auto"

// auto says whether x stands for a number that is taken from the data.
func (p *Param) auto(x float64) bool { return p.Auto && x == p.AutoAt }

// Curve is an op with all of its numbers: increasing or decreasing functions of one value. The zero Curve leaves
// values as they are.
type Curve struct {
	// Forward returns the transformed value of x. NaN stays NaN and an infinite value stays infinite, so that
	// invalid values stay invalid.
	Forward func(x float64) float64
	// Inverse returns the raw value whose transformed value is y.
	Inverse func(y float64) float64
	// Block replaces values by their Forward, rounded to float32: the fast way for thousands of them. If nil,
	// Forward is called for each.
	Block func(v []float32)
}

// Op is a family of transforms of one column. Its text is the ID and its numbers, "asinh:150".
type Op struct {
	ID      ID
	Aliases []string // other names that Parse takes
	Title   string   // as shown
	Help    string   // its effect on values, and its purpose
	Order   int      // place in lists, rising
	Params  []Param  // at most MaxParams
	// Former is set of an op that another has taken the place of: what was made with it stays as it is, and it is not
	// offered any more.
	Former bool
	// Files are the names that files have for it, where the name that people type means another op in files of earlier
	// versions: the first is written, all are read. nil: the ID.
	Files []string
	// Wrong says what is wrong with the numbers, "" if nothing; nil: all finite numbers are right.
	Wrong func(Params) string
	// Text is the short text of figures, "asinh/150"; nil: the same as everywhere.
	Text func(Params) string
	// Resolve fills numbers in that are taken from the column (see Param.Auto): its values, which may be NaN, infinite,
	// or none, and what its file says of its scale. nil: nothing is.
	Resolve func(p Params, c *dataset.Column) Params
	// Curve returns the functions for resolved numbers.
	Curve func(Params) Curve
	// Lengths is how many of its numbers, the first ones, are values of the column, as the top of a scale is: with all
	// of them k times as large, a value k times as large has the place that its own had. 0: that is not so.
	Lengths int
	// Standard returns what Gating-ML calls the op with resolved numbers; nil: it has none like it.
	Standard func(Params) Standard
}

// Standard is a scale of Gating-ML 2.0 (ISAC, Spidlen et al., Cytometry A 87:683, 2015).
type Standard struct {
	Name    string                  // "fasinh"; "": values as they are, on no scale
	Numbers []Number                // its parameters
	Place   func(y float64) float64 // where the transformed value y lies on it
	// Lengths is how many of the parameters, the first ones, are values, as the top is: see Op.Lengths.
	Lengths int
	// Decades, on a scale that is straight in logarithms, is how many there are to 1 at Top; 0: it is none.
	Decades, Top float64
	// Gate is where the value x lies on it in a gate, in the place of that of its transformed value; nil: there.
	Gate func(x float64) float64
}

// Logarithms is the scale of Gating-ML that is straight in logarithms, with so many decades to 1 at top. place is where
// a transformed value lies on it.
func Logarithms(top, decades float64, place func(y float64) float64) Standard {
	return Standard{Name: string(Flog), Numbers: []Number{{"T", top}, {"M", decades}}, Lengths: 1, Top: top,
		Decades: decades, Place: place}
}

// Magnified returns the scale on which a value k times as large lies where its own has a value.
func (s Standard) Magnified(k float64) Standard {
	s.Numbers = slices.Clone(s.Numbers)
	for i := range s.Numbers[:s.Lengths] {
		s.Numbers[i].Value *= k
	}
	s.Top, s.Gate = s.Top*k, nil
	return s
}

// Number is a parameter of a Standard.
type Number struct {
	Name  string // "T"
	Value float64
}

var (
	mu  sync.RWMutex
	ops []*Op
)

// Register adds an op; each registers itself from the init of its file. It panics if a name is taken or there are
// too many numbers: both are mistakes of the program.
func Register(o Op) {
	mu.Lock()
	defer mu.Unlock()
	if len(o.Params) > MaxParams {
		panic("transform: too many parameters: " + o.ID.String())
	}
	for _, name := range o.names() {
		if name != strings.ToLower(name) || strings.ContainsAny(name, ":=, ") || byName(name) != nil {
			panic("transform: op registered twice, or with a name that is no word: " + name)
		}
	}
	ops = append(ops, &o)
	slices.SortStableFunc(ops, func(a, b *Op) int { return a.Order - b.Order })
}

// Ops returns the ops that are offered, in their order.
func Ops() []*Op {
	mu.RLock()
	defer mu.RUnlock()
	return slices.DeleteFunc(slices.Clone(ops), func(o *Op) bool { return o.Former })
}

// ByID returns the op with this ID, or nil.
func ByID(id ID) *Op {
	mu.RLock()
	defer mu.RUnlock()
	for _, o := range ops {
		if o.ID == id {
			return o
		}
	}
	return nil
}

// byName finds an op by its name or an alias, in lower case. The registry is locked.
func byName(name string) *Op {
	for _, o := range ops {
		if slices.Contains(o.names(), name) {
			return o
		}
	}
	return nil
}

func (o *Op) names() []string { return append([]string{o.ID.String()}, o.Aliases...) }

// byFileName finds an op by its name in files, in lower case. The registry is locked.
func byFileName(name string) *Op {
	for _, o := range ops {
		if slices.Contains(o.Files, name) {
			return o
		}
	}
	return byName(name)
}

// Defaults returns the numbers that the op starts with.
func (o *Op) Defaults() Params {
	var p Params
	for i := range o.Params {
		p[i] = o.Params[i].Default
	}
	return p
}

// wrong says what is wrong with the numbers of the op, "" if nothing.
func (o *Op) wrong(p Params) string {
	for _, x := range p[len(o.Params):] {
		if x != 0 {
			return fmt.Sprintf("%s takes %d numbers", o.ID, len(o.Params))
		}
	}
	if o.Wrong != nil {
		if why := o.Wrong(p); why != "" {
			return why
		}
	}
	for i, x := range p {
		if x-x != 0 {
			return fmt.Sprintf("the %s of %s must be finite, it is %g", strings.ToLower(o.Params[i].Title), o.ID, x)
		}
	}
	return ""
}

// print returns the text that Parse reads back.
func (o *Op) print(p Params) string { return o.ID.String() + o.numbers(p) }

// numbers are those of the text, each behind a colon.
func (o *Op) numbers(p Params) (text string) {
	n := len(o.Params)
	for n > 0 && (o.Params[n-1].auto(p[n-1]) || o.Params[n-1].Seldom && p[n-1] == o.Params[n-1].Default) {
		n--
	}
	for i, x := range p[:n] {
		if o.Params[i].AutoAt != 0 && o.Params[i].auto(x) {
			text += ":" + Auto
		} else {
			text += ":" + strconv.FormatFloat(x, 'g', -1, 64)
		}
	}
	return text
}

// form says how the op is written: "linear[:FACTOR[:OFFSET]]".
func (o *Op) form() string {
	text := o.ID.String()
	for i := range o.Params {
		text += "[:" + strings.ToUpper(o.Params[i].ID)
	}
	return text + strings.Repeat("]", len(o.Params))
}
