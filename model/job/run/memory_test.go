package run

import (
	"context"
	"errors"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// What does not fit into memory is said before work starts, with what would; that then does fit.
func TestWorkThatDoesNotFit(t *testing.T) {
	t.Cleanup(func() { available = format.AvailableMemory })
	s := quick()
	tsneOf := func(s Settings, perplexity float64) error {
		w := DefaultTSNE()
		w.Perplexity, w.Until, w.Total = perplexity, 0, 1
		_, err := w.Run(context.Background(), &s, "demo:cytometry:3000", nil)
		return err
	}
	clusterOf := func(s Settings) error {
		err := clustered(&s, "demo:cytometry:3000", &Clustering{Number: 3, Metric: "euclidean",
			Algorithm: "boruvka", MinSamples: 1, Cuts: []string{"n-clusters"}, Labels: "-"})
		return err
	}
	refused := func(what string, err error, remedy ...string) {
		t.Helper()
		var wrong Usage
		if err == nil || errors.As(err, &wrong) || !strings.Contains(err.Error(), "are free") ||
			!strings.Contains(err.Error(), "of 3000 points") || problem.As(err).File != "demo:cytometry:3000" {
			t.Fatalf("%s: %v", what, err)
		}
		for _, r := range remedy {
			if !strings.Contains(problem.As(err).Remedy, r) {
				t.Errorf("%s: it says %q", what, problem.As(err).Remedy)
			}
		}
	}
	available = func() int64 { return 1500 << 10 }
	refused("t-SNE", tsneOf(s, 50), "a smaller perplexity")
	refused("cluster", clusterOf(s), "--max-points 1000 --sample random")
	available = func() int64 { return 12 << 20 }
	refused("t-SNE", tsneOf(s, 50), "--max-points 1000 --sample random")
	if s.MaxPoints, s.Sample = 1000, "random"; tsneOf(s, 50) != nil {
		t.Error("what it says would fit does not")
	}
}

// clustered clusters a table as settings say.
func clustered(s *Settings, path string, c *Clustering) error {
	ctx := context.Background()
	engines, err := s.Engines()
	if err != nil {
		return err
	}
	defer engines.Close()
	ds, err := s.Read(ctx, path, nil)
	if err != nil {
		return err
	}
	chosen, err := s.Choose(ctx, ds, Given{})
	if err != nil {
		return err
	}
	p, err := PointsOf(ctx, ds, chosen.Cols, chosen.Spec, nil)
	if err != nil {
		return err
	}
	_, err = Cluster(ctx, p, &engines, s.Engine, c, nil, s.Threads, s.Seed, nil)
	return err
}
