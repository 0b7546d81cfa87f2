package main

import (
	"math"
	"strings"

	"blossom/model/job"
	"blossom/model/maps/quality"
)

// laidOut is what a command says of a map of all points with --json, beside the summary.
type laidOut struct {
	Units       *int              `json:"units"`
	Interrupted bool              `json:"interrupted,omitempty"`
	Stages      map[string]number `json:"seconds_by_stage"`
}

// fitted is what t-SNE says of its map.
type fitted struct {
	KL         number  `json:"kl"`
	Z          number  `json:"z"`
	Method     string  `json:"method"`
	Perplexity number  `json:"perplexity"`
	Recall     float64 `json:"recall"`
}

// keptNeighbours is what a map keeps of them; null where nobody has looked.
type keptNeighbours struct {
	RNX             number `json:"r_nx"`
	RNXError        number `json:"r_nx_error"`
	K               *int   `json:"r_nx_k"`
	Queries         *int   `json:"r_nx_points"`
	Trustworthiness number `json:"trustworthiness"`
	TrustedK        *int   `json:"trustworthiness_k"` // K of continuity too
	Continuity      number `json:"continuity"`
	Ranked          *int   `json:"ranks_among"` // points that ranks beyond those were counted among
}

func keptBy(q *quality.Whole) (k keptNeighbours, known bool) {
	if q == nil || q.Queries == 0 {
		none := number(math.NaN())
		return keptNeighbours{RNX: none, RNXError: none, Trustworthiness: none, Continuity: none}, false
	}
	trusted := quality.Trusted
	return keptNeighbours{number(q.RNX), number(q.Error), &q.K, &q.Queries, number(q.Trustworthiness), &trusted,
		number(q.Continuity), &q.Ranked}, true
}

// tell tells the user what there is to know of a map.
func (o *layingOut) tell(w *job.Work, m *job.PointsMap) error {
	out := laidOut{Interrupted: m.Interrupted, Stages: map[string]number{}}
	if !m.Placed && m.Forces == nil { // else nothing moved by units
		out.Units = &m.Units
	}
	for _, stage := range m.Stages {
		out.Stages[strings.ReplaceAll(stage.Name, " ", "_")] += number(stage.Seconds)
	}
	done := ofPoints(w, o.out, w.Data, m.Points)
	if o.into != "" {
		done = ofPoints(w, o.out, w.Wanted[0].(*job.Placed).Points, m.Points)
	}
	done.Dims = m.Dims
	kept, known := keptBy(m.Quality)
	if o.own != nil {
		return o.finish(o.json, done, fitted{number(m.KL), number(m.Z), m.Method, number(m.Perplexity), m.Recall}, kept,
			out)
	}
	if !known {
		return o.finish(o.json, done, out)
	}
	return o.finish(o.json, done, map[string]any{"quality": kept}, out)
}
