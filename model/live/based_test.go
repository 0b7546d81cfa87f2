package live

import (
	"context"
	"errors"
	"testing"

	"blossom/model/base/step"
	"blossom/model/work/embedding"
)

// based is a kind with a basis, whose start can fail or wait to be called back.
var based struct {
	bases, open int
	fails       error
	waits       chan struct{} // closed when a start waits; nil: none does
}

type onBasis struct{ *ring }

func (onBasis) Close() { based.open-- }

func init() {
	embedding.Register(embedding.Kind{ID: "based", Title: "Based", Help: "All points on a circle, after a while",
		Way: embedding.Stepwise,
		Run: embedding.Stages{
			Title: "Waiting", Key: func(embedding.Inputs, embedding.Recipe, step.Values) string { return "" },
			Basis: func(context.Context, embedding.Inputs, embedding.Recipe, step.Values, any,
				func(done, total int64)) (any, error) {
				based.bases++
				return "basis", nil
			},
			Start: func(ctx context.Context, in embedding.Inputs, r embedding.Recipe,
				b embedding.Beginning) (embedding.Runner, error) {
				if based.fails != nil {
					return nil, based.fails
				}
				if based.waits != nil {
					close(based.waits)
					<-ctx.Done()
				}
				based.open++
				out := &ring{pos: make([]float32, in.Table.X.Rows*r.Dims), dims: r.Dims, pinned: map[int]bool{},
					p: step.Progress{Total: ringSteps}}
				return onBasis{out}, nil
			}}})
}

func aBased(t *testing.T) (*desk, *Embedding) {
	t.Helper()
	based.bases, based.open, based.fails, based.waits = 0, 0, nil, nil
	d := open(t, "demo:cytometry:300")
	return d, d.Embedding(embedding.Recipe{Kind: "based", Dims: 2})
}

// A basis that took long to make is kept when nothing could be started from it.
func TestABasisOutlivesAStartThatFails(t *testing.T) {
	d, e := aBased(t)
	based.fails = errors.New("there is no room")
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), e.Recipe()})
	for e.Err() == nil {
		d.frame(t)
	}
	based.fails = nil
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.settle(t)
	if e.Err() != nil || e.Shown() != 300 || based.bases != 1 {
		t.Errorf("%v, %d shown, %d bases", e.Err(), e.Shown(), based.bases)
	}
}

// Whoever takes away what a runner is being made on waits until nobody is at work there, and nothing stays behind.
func TestARunnerInTheMakingIsWaitedFor(t *testing.T) {
	d, e := aBased(t)
	based.waits = make(chan struct{})
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), e.Recipe()})
	for e.Stands().Job == nil {
		d.frame(t)
	}
	<-based.waits
	e.steps.Leave()
	if based.open != 0 || e.Stands().Job != nil {
		t.Fatalf("%d runners stay behind", based.open)
	}
	based.waits = nil
	d.settle(t)
	if based.open != 1 || e.Shown() != 300 || based.bases != 2 {
		t.Errorf("%d runners, %d shown, %d bases", based.open, e.Shown(), based.bases)
	}
}
