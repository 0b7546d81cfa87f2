package train

import (
	"fmt"
	"math"
	"strconv"

	"blossom/model/base/matrix"
	"blossom/model/base/step"
)

// The parameters that algorithms share.
var (
	paramEpochs = step.Param{ID: "epochs", Title: "Epochs", Min: 0, Max: 1000, Default: 10,
		Help: "How many times as many points as there are take part. Raising it trains longer and falls slower; 0 " +
			"trains until stopped, with the values of the start."}
	paramSigmaFrom = step.Param{ID: "sigma_from", Title: "Sigma at start", Min: 0.05, Max: 100, Default: 10, Log: true,
		Help: "Size of the neighbourhood on the map in the beginning, in map units (1 is the spacing of a grid). " +
			"Raising it makes the map stiffer and unfolds it better; about half the side of the map is enough."}
	paramSigmaTo = step.Param{ID: "sigma_to", Title: "Sigma at end", Min: 0.05, Max: 100, Default: 0.8, Log: true,
		Help: "Size of the neighbourhood in the end. Raising it keeps the map smooth; lowering it lets every " +
			"landmark follow its own points."}
	paramAlphaFrom = step.Param{ID: "alpha_from", Title: "Alpha at start", Min: 0.0001, Max: 1, Default: 0.2, Log: true,
		Help: "How far landmarks go towards each point in the beginning. Raising it learns faster and forgets faster."}
	paramAlphaTo = step.Param{ID: "alpha_to", Title: "Alpha at end", Min: 0.0001, Max: 1, Default: 0.01, Log: true,
		Help: "How far landmarks go towards each point in the end. Lowering it settles on averages of more points."}
	paramFall = step.Param{ID: "fall", Title: "Fall", Min: 0, Max: 1, Default: 0, Integer: true,
		Choices: []string{"Exponential", "Linear"},
		Help:    "How sigma and alpha go from start to end: exponential falls fast first, linear evenly."}
	paramSigma = step.Param{ID: "sigma", Title: "Sigma now", Min: 0.05, Max: 100, Log: true, Zero: "schedule",
		Help: "Size of the neighbourhood now. Taking it holds it there, whatever the schedule says; raising it makes " +
			"the map stiffer."}
	paramAlpha = step.Param{ID: "alpha", Title: "Alpha now", Min: 0.0001, Max: 1, Log: true, Zero: "schedule",
		Help: "How far landmarks go towards each point now. Taking it holds it there, whatever the schedule says; " +
			"raising it learns faster and forgets faster."}
	paramAlong = step.Param{ID: "along", Title: "Distance", Max: 1, Integer: true,
		Choices: []string{"Distance on map", "Along edges"},
		Help: "What is near on the map: landmarks that lie near each other, wherever they were dragged; or those " +
			"that few edges of the map's own net join, each as long as the middle one. A landmark that no edges lead " +
			"to moves by itself."}
	paramGravity = step.Param{ID: "gravity", Title: "Gravity", Min: 0, Max: 1, Default: 0.01,
		Help: "How much all other landmarks follow each point. Raising it brings landmarks without points back to " +
			"the data; 0 is plain k-means."}
)

// set is the values of the parameters of one algorithm, clamped.
type set struct{ v step.Values }

func (s set) get(p step.Param) float64 { return s.v.Get(p) }

// along says whether distances are those along edges.
func (s set) along() bool { return s.get(paramAlong) >= 0.5 }

// sigma and alpha are those at t in [0, 1] of a run, or what holds them.
func (s set) sigma(t float64) float64 {
	if held := s.get(paramSigma); held > 0 {
		return held
	}
	return s.fall(paramSigmaFrom, paramSigmaTo, t)
}

func (s set) alpha(from, to step.Param, t float64) float64 {
	if held := s.get(paramAlpha); held > 0 {
		return held
	}
	return s.fall(from, to, t)
}

// fall returns the value between the parameters from and to at t in [0, 1] of the run.
func (s set) fall(from, to step.Param, t float64) float64 {
	a, b := s.get(from), s.get(to)
	if s.get(paramFall) >= 0.5 {
		return a + (b-a)*t
	}
	return a * math.Exp(math.Log(b/a)*t)
}

// Suggest returns the values that an algorithm should start with for n points and landmarks at pos:
// those that depend on their numbers (Algorithm.Suggest), so that a map of any size unfolds within some seconds.
// The others keep their defaults.
//
// How these and the defaults were chosen, on 50,000 points of the cytometry demo (30 columns, 20x20
// landmarks, start by principal components; quantization and topographic error):
//
//	som, 250 samples a landmark, alpha 0.2 to 0.01   sigma to 0.6: 1.957, 0.186   0.8: 1.989, 0.111
//	    the same, alpha 0.3 to 0.02                  sigma to 0.6: 1.941, 0.248   0.8: 1.966, 0.162
//	som, alpha 0.3 to 0.02, sigma to 0.5             50 samples: 1.990, 0.189    250: 1.934, 0.315
//	    the same                                     1000 samples: 1.903, 0.408
//	som-batch, sigma to 0.8                          10 epochs: 1.967, 0.082     20: 1.957, 0.111
//	som-batch, sigma to 0.5                          10 epochs: 1.918, 0.237     20: 1.900, 0.302     40: 1.888, 0.357
//	lloyd                                            1.869, 0.844
//
// So more samples and a smaller sigma buy 2 to 4 % of quantization and cost most of the order, which is
// what a map is for.
func Suggest(id string, n int, pos matrix.Matrix32) step.Values {
	if a, ok := ByID(id); ok && a.Suggest != nil {
		return a.Suggest(n, pos)
	}
	return step.Values{}
}

// Values returns all parameters of a training of n points and landmarks at pos: what Suggest says, and for
// the rest the defaults, written out so that a file means the same when a later version has other defaults.
func Values(id string, n int, pos matrix.Matrix32) step.Values {
	v := step.Values{}
	if a, ok := ByID(id); ok {
		for _, p := range a.Params {
			v[p.ID] = p.Default
		}
	}
	for k, x := range Suggest(id, n, pos) {
		v[k] = x
	}
	return v
}

// SamplesPerLandmark is how many samples of online training a landmark needs.
const SamplesPerLandmark = 250

// samplesLength is the Length of a training that suggestEpochs is for.
var samplesLength = fmt.Sprintf("as many as give each landmark %d samples", SamplesPerLandmark)

// suggestEpochs returns how many epochs over n points give each of the landmarks its samples, or a little
// more: rounded up to two digits, as people write it.
func suggestEpochs(n int, pos matrix.Matrix32) float64 {
	return paramEpochs.Clamp(roundUp(SamplesPerLandmark * float64(max(1, pos.Rows)) / float64(max(1, n))))
}

// suggestFalling returns values for some epochs with a neighbourhood that falls from half the side of the map. Where it
// ends and what holds it are lengths on the map too: those of another map say nothing of this one.
func suggestFalling(pos matrix.Matrix32, epochs float64) step.Values {
	return step.Values{"epochs": epochs, "sigma_from": paramSigmaFrom.Clamp(max(1, Extent(pos)/2)),
		"sigma_to": paramSigmaTo.Default, "sigma": 0}
}

// roundUp returns the smallest number of two significant digits that is not below x > 0.
func roundUp(x float64) float64 {
	e := int(math.Floor(math.Log10(x))) - 1
	for m := math.Floor(x / math.Pow10(e)); ; m++ {
		// Read as decimal digits, so that the result is the float64 that people mean by them.
		if r, err := strconv.ParseFloat(fmt.Sprintf("%.0fe%d", m, e), 64); err != nil || r >= x {
			return r
		}
	}
}

// Extent returns the largest side of the box around the positions, 0 for fewer than two.
func Extent(pos matrix.Matrix32) float64 {
	side := 0.0
	for c := range pos.Cols {
		low, high := math.Inf(1), math.Inf(-1)
		for i := range pos.Rows {
			x := float64(pos.Data[i*pos.Cols+c])
			low, high = min(low, x), max(high, x)
		}
		side = max(side, high-low)
	}
	return side
}
