package job

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/job/run"
	"blossom/model/work/engine"
)

// Labels wants clusters of the points by single linkage, with the metric and the least number of samples of the state,
// and the hierarchy itself. Without a cut of its own labels are those that a window with the state shows.
type Labels struct {
	Output     string   `json:"output,omitempty"` // labels
	NClusters  *int     `json:"n_clusters,omitempty"`
	Distance   *float64 `json:"distance,omitempty"`
	MinSize    *int     `json:"min_size,omitempty"`
	LinkageOut string   `json:"linkage_out,omitempty"`
	TreeOut    string   `json:"mst_out,omitempty"`
	Algorithm  string   `json:"algorithm,omitempty"`
	K          int      `json:"k,omitempty"`
	Verify     bool     `json:"verify,omitempty"`
	// OfLandmarks clusters those of the state; a point is in the cluster of the landmark that is nearest to it.
	OfLandmarks bool `json:"of_landmarks,omitempty"`
	Beside

	// Linked is the hierarchy of the points, made in parts elsewhere; nil: they are linked here.
	Linked func(ctx context.Context, p *run.Points) (*linkage.Linkage, error) `json:"-"`

	Made *Clustered `json:"-"`
}

func init() {
	Register(Kind{ID: "labels", New: func() Want { return &Labels{} },
		Ranges: func(w Want) func(context.Context, *Work) error { return w.(*Labels).ranges() },
		Needs: func(w Want) engine.Capability {
			l := w.(*Labels)
			if l.OfLandmarks {
				return engine.Capability{}
			}
			return looking(l.Algorithm)
		}})
}

// What returns the ID of the kind.
func (l *Labels) What() string { return "labels" }

// Paths are the files that it names.
func (l *Labels) Paths() (written, read []*string) {
	leaves := LeavesFile(l.LinkageOut)
	return []*string{&l.Output, &l.LinkageOut, &leaves, &l.TreeOut}, nil
}

// cuts are the ways of cutting that are named.
func (l *Labels) cuts() (names []string) {
	for _, cut := range []struct {
		name  string
		named bool
	}{{"--n-clusters", l.NClusters != nil}, {"--distance", l.Distance != nil}, {"--min-size", l.MinSize != nil}} {
		if cut.named {
			names = append(names, cut.name)
		}
	}
	return names
}

// Uncut says that no cut is named: labels are those of the state.
func (l *Labels) Uncut() bool { return len(l.cuts()) == 0 }

// Check says what is wrong with the wish.
func (l *Labels) Check() error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	if _, err := linkage.Named(cmp.Or(l.Algorithm, linkage.Default)); err != nil {
		return run.Usage{Err: err}
	}
	switch {
	case len(l.cuts()) > 1:
		return wrong("give one of them", "%s and %s are two cuts", l.cuts()[0], l.cuts()[1])
	case l.Output == "" && !l.Uncut():
		return wrong("name a file with -o, or - for standard output", "no output is given for the labels")
	case l.Output == "" && l.LinkageOut == "" && l.TreeOut == "":
		return wrong("name a file for labels, linkage or tree: -o, --linkage-out or --mst-out", "no output is named")
	case l.NClusters != nil && *l.NClusters < 1:
		return wrong("use 1 or more", "--n-clusters %d is not possible", *l.NClusters)
	case l.Distance != nil && !(*l.Distance >= 0):
		return wrong("use a number from 0", "--distance %g is not possible", *l.Distance)
	case l.MinSize != nil && *l.MinSize < 2:
		return wrong("use 2 or more", "--min-size %d is not possible", *l.MinSize)
	case l.K < 0:
		return wrong("leave it out, or use 1 or more", "--k %d is not possible", l.K)
	case l.OfLandmarks && l.Output != "" && l.Uncut():
		return wrong("say n_clusters, distance or min_size", "no cut of the landmarks is given")
	case l.K > linkage.MostNear:
		return wrong(fmt.Sprintf("use %d at most", linkage.MostNear), "--k %d is not possible", l.K)
	}
	for _, path := range []string{l.LinkageOut, l.TreeOut} {
		if path != "" && path != "-" && path != os.DevNull && !strings.HasSuffix(strings.ToLower(path), ".npy") {
			return run.Usage{Err: problem.New(path, "use a name that ends in .npy", "arrays are written as .npy alone")}
		}
	}
	return l.Beside.checkOutput(l.Output)
}

// Make clusters the points.
func (l *Labels) Make(ctx context.Context, w *Work) error {
	if err := w.Space(ctx); err != nil {
		return run.Wrong(ctx, err)
	}
	made, err := l.cluster(ctx, w)
	if err != nil {
		return err
	}
	if l.OfLandmarks {
		if err := made.follow(ctx, w); err != nil {
			return err
		}
	}
	l.Made = made
	err = made.save(ctx, l, w)
	made.Notes = append(w.notes[:len(w.notes):len(w.notes)], made.Notes...)
	w.Notes = append(w.Notes, made.Notes...)
	return err
}
