package job

import (
	"errors"
	"strings"
	"testing"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/job/run"
)

// Work that does not fit into memory is refused before it starts, with a size that does fit.
func TestWorkThatDoesNotFit(t *testing.T) {
	t.Cleanup(func() { available = format.AvailableMemory })
	execute := func(most int, want Want) error {
		s := run.Defaults()
		s.Input.MaxPoints, s.Input.Sample, s.Machine.Engine = most, "random", "cpu"
		j, err := Open(t.Context(), &s, []string{"demo:cytometry:3000"}, false, nil)
		if err == nil {
			err = j.ForPoints(t.Context(), &s)
		}
		if err != nil {
			t.Fatal(err)
		}
		j.Want(want)
		_, err = Execute(t.Context(), j, Options{})
		return err
	}
	tsneOf := func(most int) error {
		w := DefaultTSNE()
		w.Perplexity, w.Units = 50, 1
		return execute(most, w)
	}
	three := 3
	refused := func(what string, err error, remedy ...string) {
		t.Helper()
		var wrong run.Usage
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
	refused("t-SNE", tsneOf(0), "a smaller perplexity")
	refused("cluster", execute(0, &Labels{Output: "-", NClusters: &three, Algorithm: "boruvka"}),
		"--max-points 1000 --sample random")
	available = func() int64 { return 12 << 20 }
	refused("t-SNE", tsneOf(0), "--max-points 1000 --sample random")
	if tsneOf(1000) != nil {
		t.Error("what it says would fit does not")
	}
}
