// Package table has the rows that measurements make and lays them out, for a terminal and for a README.
package table

// Row is one measurement, as `blossom bench --json` prints it. Times are per point, in ns.
type Row struct {
	Bench   string `json:"bench"`
	Engine  string `json:"engine"`
	Variant string `json:"variant"` // the thing measured: a kernel, an algorithm, an instruction set and its cores
	N       int    `json:"n"`
	D       int    `json:"d"`
	G       int    `json:"g"`
	K       int    `json:"k"`
	Stage   string `json:"stage"`

	Median   float64 `json:"ns_per_point"`
	Rate     float64 `json:"points_per_s"`
	P05      float64 `json:"p05"`
	P95      float64 `json:"p95"`
	Baseline string  `json:"baseline"` // the variant that Ratio compares with, "" for none
	Ratio    float64 `json:"ratio"`    // how many times faster than the baseline
	Best     float64 `json:"best"`     // least ns per point: on a busy machine the steadiest number

	Device  string `json:"device,omitempty"`
	Data    string `json:"data,omitempty"`    // distribution of the points: uniform, clustered
	Repeats int    `json:"repeats,omitempty"` // measured
	Clock   string `json:"clock,omitempty"`   // device: its own events; wall: of the call, with its waits
	Failed  string `json:"failed,omitempty"`  // why there are no times
}

// Spread fills the times in from those of a point in ns, which are sorted: the nearest to each share of them.
func (r *Row) Spread(sorted []float64) {
	at := func(share float64) float64 { return sorted[int(share*float64(len(sorted)-1)+0.5)] }
	r.Median, r.P05, r.P95, r.Best = at(0.5), at(0.05), at(0.95), at(0)
	r.Rate = 1e9 / r.Median
}

// Compare sets the ratio to a baseline, from its ns per point.
func (r *Row) Compare(baseline string, ns float64) { r.Baseline, r.Ratio = baseline, ns/r.Median }

// Times is the ratio in words; "" where nothing is compared.
func (r Row) Times() string {
	if r.Baseline == "" {
		return ""
	}
	return Number(r.Ratio) + "x"
}

// All is how long a time of a point, in ns, is for all points, in ms.
func (r Row) All(ns float64) float64 { return ns * float64(r.N) / 1e6 }
