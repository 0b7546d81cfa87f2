package umap

import "blossom/model/base/problem"

// Options say how a map is made. All but Dims, Neighbours (which are those of the graph) and Seed may change while it
// forms.
type Options struct {
	Dims       int     // 2 or 3
	Neighbours int     // 2 to MostNeighbours: points in a neighbourhood, its own included
	Least      float64 // how near points come on the map, 0 to Spread
	Spread     float64 // the length over which points count as near
	Negatives  int     // points drawn at random for each edge that acts, 0 to MostNegatives
	Epochs     int     // 0: as many as suit the points
	Seed       uint64
	// Beyond: somebody drags points. Those that are held from then on, and who is near them in the graph, go on when
	// all epochs are done; afterwards their steps fall to 0 again.
	Beyond bool
}

// Least and most that can be asked for.
const (
	MostNeighbours = 200
	MostNegatives  = 30
	mostEpochs     = 1_000_000
	mostSpread     = 1000
)

// Up to so many points a map takes many epochs, else few.
const (
	manyPoints = 10_000
	manyEpochs = 500
	fewEpochs  = 200

	// Epochs beyond the last have steps of this size, which fall to 0 in so many epochs. A map that is done has cooled:
	// if all of it were warmed by so much it would swell by a sixth, and unfold anew for as long as somebody drags.
	warmAlpha  = 0.1
	warmEpochs = 60
	// Points that are warm are those that were dragged, whom an edge joins to them, and by half as much with each edge
	// more, up to so many.
	warmReach = 3
)

// Defaults are the options of a map on the plane.
func Defaults() Options { return DefaultsIn(2) }

// DefaultsIn are the options of a map of dims coordinates.
func DefaultsIn(dims int) Options {
	return Options{Dims: dims, Neighbours: 15, Least: 0.1, Spread: 1, Negatives: 5}
}

// Validate says (problem.Problem) what cannot be run.
func (o Options) Validate() error {
	switch {
	case o.Dims != 2 && o.Dims != 3:
		return problem.New("", "take 2 or 3", "UMAP cannot be run with %d dimensions", o.Dims)
	case o.Neighbours < 2 || o.Neighbours > MostNeighbours:
		return problem.New("", "take 2 to 200 neighbours, the point itself among them",
			"UMAP cannot be run with %d neighbours", o.Neighbours)
	case !(o.Spread > 0) || o.Spread > mostSpread || !(o.Least >= 0) || o.Least > o.Spread:
		return problem.New("", "take a spread up to 1000, and a least distance from 0 to the spread",
			"UMAP cannot be run with a least distance of %g and a spread of %g", o.Least, o.Spread)
	case o.Negatives < 0 || o.Negatives > MostNegatives:
		return problem.New("", "take 0 to 30", "UMAP cannot draw %d points for an edge", o.Negatives)
	case o.Epochs < 0 || o.Epochs > mostEpochs:
		return problem.New("", "take up to a million, or 0 for as many as suit the points",
			"UMAP cannot be run for %d epochs", o.Epochs)
	}
	return nil
}

// Total is how many epochs a map of n points takes.
func (o Options) Total(n int) int {
	switch {
	case o.Epochs > 0:
		return o.Epochs
	case n <= manyPoints:
		return manyEpochs
	}
	return fewEpochs
}

// alpha is the size of the steps of an epoch, counted from 1, of total, in a map that is so warm.
func alpha(epoch, total, warm int) float64 {
	return max(1-float64(epoch-1)/float64(total), warmAlpha*float64(warm)/warmEpochs)
}
