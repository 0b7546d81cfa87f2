package tsne

import (
	"slices"

	"blossom/model/base/problem"
)

// Method is how repulsion is computed. Devices may have methods of their own.
type Method string

const (
	Auto  Method = "auto"  // the fastest of those below at this size, by a formula
	Exact Method = "exact" // all pairs
	Tree  Method = "tree"  // means of groups of points that are far away, in 2D and 3D
	Field Method = "field" // a potential on a lattice, in 2D
)

// Published says whether a method is none of ours: a published system's, which a device has to compare with.
func (m Method) Published() bool {
	return m != "" && !slices.Contains([]Method{Auto, Exact, Tree, Field}, m)
}

// Accuracy is how fine the lattice of Field is.
type Accuracy uint8

const (
	Normal Accuracy = iota // repulsion to 0.6 %: KL as with all pairs
	Fast                   // to 2.5 %
	Fine                   // to 0.03 %
)

var accuracies = []string{"normal", "fast", "fine"}

func (a Accuracy) String() string { return accuracies[a] }

// ParseAccuracy reads fast, normal or fine.
func ParseAccuracy(name string) (Accuracy, error) {
	if i := slices.Index(accuracies, name); i >= 0 {
		return Accuracy(i), nil
	}
	return Normal, problem.New("", "use fast, normal or fine", "there is no accuracy %q", name)
}

// Options say how a map is made. All but Dims, Perplexity (which is that of the affinities) and Seed may change while
// it forms.
type Options struct {
	Dims         int     // 2 or 3
	Perplexity   float64 // 1 or more
	Exaggeration float64 // factor of attraction at first
	Until        int     // units with exaggeration
	Late         float64 // exaggeration after that, 1 to 4; 0: 1
	Eta          float64 // learning rate, of g without the 4; 0: points over exaggeration
	Total        int     // units in all; 0: until it rests
	Seed         uint64

	Method   Method // "" for Auto
	Theta    float64
	Accuracy Accuracy
}

// Defaults are the options of a map on the plane.
func Defaults() Options { return DefaultsIn(2) }

// DefaultsIn are the options of a map of dims coordinates.
func DefaultsIn(dims int) Options {
	o := Options{Dims: dims, Perplexity: 30, Exaggeration: 12, Until: 250, Total: 1000, Method: Auto, Theta: 0.5}
	if dims == 3 {
		o.Theta = 0.8
	}
	return o
}

// Validate says (problem.Problem) what cannot be run.
func (o Options) Validate() error {
	switch {
	case o.Dims != 2 && o.Dims != 3:
		return problem.New("", "take 2 or 3", "t-SNE cannot be run with %d dimensions", o.Dims)
	case !(o.Perplexity >= 1) || o.Perplexity > 1e9:
		return problem.New("", "take a perplexity from 1 to 1e9", "t-SNE cannot be run with a perplexity of %g",
			o.Perplexity)
	case !(o.Exaggeration >= 1) || o.Exaggeration > 1e6 || o.Late != 0 && !(o.Late >= 1 && o.Late <= 4):
		return problem.New("", "take an exaggeration from 1 to 1e6 at first, and from 1 to 4 later",
			"t-SNE cannot be run with an exaggeration of %g, then %g", o.Exaggeration, max(1, o.Late))
	case o.Until < 0 || o.Total < 0:
		return problem.New("", "take 0 or more", "t-SNE cannot be run for %d units, of which %d with exaggeration",
			o.Total, o.Until)
	case !(o.Eta >= 0) || o.Eta > 1e12:
		return problem.New("", "take one up to 1e12, or 0 for one that suits the number of points",
			"t-SNE cannot be run at a learning rate of %g", o.Eta)
	case !(o.Theta >= 0) || o.Theta > 10:
		return problem.New("", "take one from 0 to 10: 0.5 suits the plane, 0.8 space",
			"t-SNE cannot be run with a theta of %g", o.Theta)
	case int(o.Accuracy) >= len(accuracies):
		return problem.New("", "use fast, normal or fine", "t-SNE has no accuracy %d", o.Accuracy)
	}
	return nil
}

// Schedule is how points are moved in a unit: attraction is e times as strong while a map forms, and momentum small.
func (o Options) Schedule(unit, n int) (e, mu, eta float64) {
	e, mu = max(1, o.Late), 0.8
	if unit < o.Until {
		e, mu = o.Exaggeration, 0.5
	}
	if eta = o.Eta; eta == 0 {
		eta = float64(n) / e
	}
	return e, mu, eta
}
