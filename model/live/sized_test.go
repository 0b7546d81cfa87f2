package live

import (
	"testing"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

var sized = embedding.Recipe{Kind: "sized", Dims: 2}

func init() {
	run := embedding.ByID("ring").Run
	run.Eager = true
	run.Params = []step.Param{{ID: "points", Title: "Points", Min: 1, Max: 1000, Default: 5},
		{ID: "rate", Title: "Rate", Min: 1, Max: 10, Default: 1}}
	run.Size = func(embedding.Inputs, embedding.Recipe) step.Values { return step.Values{"points": 70} }
	embedding.Register(embedding.Kind{ID: "sized", Title: "Sized", Help: "Points on a circle", Way: embedding.Stepwise,
		Run: run})
}

// How large a map suits the machine is written into the document where the first one begins, with all else that was
// chosen: undo leaves it, and what is chosen goes before.
func TestTheSizeOfAMapIsKeptWithIt(t *testing.T) {
	for _, c := range []struct {
		chosen step.Values
		want   float64
	}{{nil, 70}, {step.Values{"rate": 3}, 70}, {step.Values{"points": 9}, 9}, {step.Values{"points": 5}, 5}} {
		d, _ := ringed(t, 200)
		if c.chosen != nil {
			d.Doc.Do("Choose", func(s *state.State) {
				parts.Runs.Put(s, parts.Runs.Of(*s).Edit(sized, func(x *parts.RunChoice) { x.Values = c.chosen }))
			})
		}
		d.Show([]embedding.Recipe{embedding.EmbedSOM(), sized})
		d.settle(t)
		points := func() float64 { return parts.Runs.Of(d.Doc.State()).Get(sized).Values["points"] }
		if e := d.Embedding(sized); points() != c.want || e.Stands().Units == 0 || e.Stands().Changed {
			t.Errorf("with %v chosen: %g points, %+v", c.chosen, points(), e.Stands())
		}
		for d.Doc.Undo() != "" {
			d.settle(t)
		}
		if c.chosen["points"] == 0 && points() != c.want {
			t.Errorf("with %v chosen, after undo: %g points", c.chosen, points())
		}
	}
}
