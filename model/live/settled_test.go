package live

import (
	"context"
	"math"
	"testing"

	"blossom/model/base/step"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/train"
	"blossom/model/live/member"
)

// A step on a map that came to rest goes on at the end of the schedule: it does not start over at a large sigma,
// which wrecked the map. So it is also where no run of this window led to the landmarks, as in a session opened.
func TestStepOnASettledMap(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	for _, a := range train.All() {
		o, err := opening.Load(context.Background(), []string{"demo:mammoth:3000"}, format.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d := desktop(t, o, "cpu")
		d.Doc.Do("training", func(s *state.State) {
			v := train.Values(a.ID, d.table.X.Rows, parts.Landmarks.Of(*s).Pos)
			v["epochs"] = 4
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: a.ID, Values: v})
		})
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		at := func() float64 {
			l := parts.Landmarks.Of(d.Doc.State())
			q, err := train.Measure(context.Background(), d.table.X, l.Codebook, l.Pos, 3000, 1)
			if err != nil {
				t.Fatal(err)
			}
			return q.Quantization
		}
		settled := at()
		check := func(when string) {
			t.Helper()
			before := parts.Landmarks.Of(d.Doc.State()).CodeRev
			for range 5 {
				if err := d.Training().Step(); err != nil {
					t.Fatal(err)
				}
				d.settle(t)
			}
			if now := at(); now > settled*1.02 {
				t.Errorf("%s, five steps %s: the quantization error rose from %g to %g", a.ID, when, settled, now)
			}
			if running, p, live := d.Training().Progress(); running || p.Fraction() != 1 {
				t.Errorf("%s, after steps %s: running %v, at %g of the schedule", a.ID, when, running, p.Fraction())
			} else if sigma, ok := live["sigma"]; ok && math.Abs(sigma-0.8) > 1e-9 {
				t.Errorf("%s, after steps %s: sigma is %g", a.ID, when, sigma)
			}
			if parts.Landmarks.Of(d.Doc.State()).CodeRev == before {
				t.Errorf("%s: steps %s have done nothing", a.ID, when)
			}
		}
		check("at rest")
		d.runs.Remove(d.training.Run())
		d.training = member.NewTraining(d.ground(), d.layout)
		d.runs.Add(d.training.Run(), d.training.Start)
		check("without a run before")
		if !d.Training().Begun() {
			t.Errorf("%s: it says that there has been no run", a.ID)
		}
	}
}

// A step of a paused run is a part of its schedule.
func TestStepOfAPausedRun(t *testing.T) {
	o, err := opening.Load(context.Background(), []string{"demo:mammoth:3000"}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d := desktop(t, o, "cpu")
	for _, c := range []struct {
		id   string
		more int64
	}{{"som", 100}, {"som-batch", 3000}} {
		d.Doc.Do("training", func(s *state.State) {
			parts.Training.Put(s, parts.TrainingChoice{Algorithm: c.id, Values: step.Values{"epochs": 8}})
		})
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
		if c.id == "som-batch" {
			if err := d.training.Run().Do(6000); err != nil {
				t.Fatal(err)
			}
		} else if err := d.training.Run().Do(900); err != nil {
			t.Fatal(err)
		}
		d.Training().Pause()
		before := d.training.Run().Progress().Done
		if err := d.Training().Step(); err != nil {
			t.Fatal(err)
		}
		d.settle(t)
		if p := d.training.Run().Progress(); p.Done != before+c.more || p.Rest {
			t.Errorf("%s: a step went from %d to %d", c.id, before, p.Done)
		}
	}
}
