package live

import (
	"cmp"
	"math"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/maps/quality"
	"blossom/model/work/embedding"
)

// gauged asks for the quality in every frame until it is that of now.
func (d *desk) gauged(t *testing.T, e *Embedding) (q Quality) {
	t.Helper()
	d.frame(t)
	d.until(t, "the quality is measured", func() bool {
		q = d.QualityOf(e)
		return !q.Older
	})
	return q
}

// of measures the positions there are, for themselves.
func (d *desk) of(t *testing.T, e *Embedding) *quality.Result {
	t.Helper()
	s, err := quality.NewSpace(t.Context(), d.table.X, cmp.Or(d.Measured, quality.SampleSize), quality.Work{})
	if err != nil {
		t.Fatal(err)
	}
	pos, ok := e.Positions()
	if !ok {
		t.Fatal("there are no positions")
	}
	r, err := s.Measure(t.Context(), s.Gather(pos, e.Dims(), nil), e.Dims(), quality.Work{})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestQualityFollowsTheMap(t *testing.T) {
	d := open(t, "demo:cytometry:3000")
	d.Measured = 800
	d.settle(t)
	q := d.gauged(t, d.som)
	want := d.of(t, d.som)
	if q.Before != nil || q.Now.Of != 3000 || !q.Now.Sampled() || math.Abs(q.Now.Value()-want.Value()) > 1e-3 ||
		math.Abs(q.Now.AUC-want.AUC) > 1e-3 || math.Abs(q.Now.Continuity-want.Continuity) > 1e-4 {
		t.Fatalf("%+v, want %+v", q.Now, want)
	}
	if again := d.gauged(t, d.som); again.Now != q.Now || !d.Values.Jobs.Idle() {
		t.Error("what has not changed is measured again")
	}
	move := func(f func(pos []float32)) {
		d.Doc.Do("Move landmarks", func(s *state.State) {
			l, pos := parts.Landmarks.Of(*s), parts.Landmarks.Of(*s).Pos.Clone()
			f(pos.Data)
			moved, err := l.WithPos(pos)
			if err != nil {
				t.Error(err)
				return
			}
			parts.Landmarks.Put(s, moved)
		})
	}
	move(func(pos []float32) { clear(pos[:len(pos)/2]) }) // half of the map on one spot
	if now := d.QualityOf(d.som); !now.Older || now.Now != q.Now {
		t.Error("the measure of before is told as that of now")
	}
	d.settle(t)
	worse := d.gauged(t, d.som)
	if worse.Before != q.Now || !(worse.Now.Value() < q.Now.Value()-0.05) {
		t.Errorf("%g after %g, before %p, %p", worse.Now.Value(), q.Now.Value(), worse.Before, q.Now)
	}
	d.Doc.Undo()
	d.settle(t)
	back := d.gauged(t, d.som)
	if back.Before != worse.Now || !slices.Equal(back.Now.RNX, q.Now.RNX) {
		t.Error("undo does not bring the quality back")
	}
	d.Hold(true) // while the hand holds it, it is measured too, more slowly
	move(func(pos []float32) { clear(pos[:len(pos)/2]) })
	held := d.gauged(t, d.som)
	if held.Before != back.Now || !slices.Equal(held.Now.RNX, worse.Now.RNX) {
		t.Error("what the hand holds is not measured")
	}
	d.Hold(false)
}

func TestQualityOfOtherEmbeddings(t *testing.T) {
	d, e := ringed(t, 600)
	q := d.gauged(t, e)
	if want := d.of(t, e); !slices.Equal(q.Now.RNX, want.RNX) || q.Now.Sampled() || q.Now.Far.Share == q.Now.Far.Share {
		t.Fatalf("%+v, want %+v", q.Now, want)
	}
	if err := e.Start(); err != nil {
		t.Fatal(err)
	}
	d.frame(t)
	if now := d.QualityOf(e); !now.Older {
		t.Error("the quality of what moves is not told to be older")
	}
	d.settle(t)
	if now := d.gauged(t, e); now.Before != q.Now {
		t.Error("before is not what it was before the run")
	}
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.PCA(3)})
	d.settle(t)
	p := d.Embedding(embedding.PCA(3))
	if now := d.gauged(t, p); !slices.Equal(now.Now.RNX, d.of(t, p).RNX) {
		t.Error("principal components in space are not measured as they are")
	}
	if len(d.gauges.list) > 3 {
		t.Errorf("%d gauges are kept", len(d.gauges.list))
	}
}

// While something moves, measuring takes a small part of one core, and all of it as soon as nothing does.
func TestMeasuringIsGentle(t *testing.T) {
	now, slept := time.Unix(0, 0), time.Duration(0)
	sleep := func(d time.Duration) { now, slept = now.Add(d), slept+d }
	var gentle atomic.Bool
	pause := pauser(&gentle, func() time.Time { return now }, sleep)
	now = now.Add(time.Second)
	if pause(); slept != 0 {
		t.Errorf("it sleeps %v though nothing moves", slept)
	}
	gentle.Store(true)
	for range 10 {
		now = now.Add(2 * time.Millisecond)
		pause()
	}
	if share := 0.020 / (0.020 + slept.Seconds()); math.Abs(share-gentleShare) > 1e-6 {
		t.Errorf("it takes %.0f %% of a core", 100*share)
	}
}

// A run that begins anew takes over no measurement of the former one.
func TestQualityOfARunThatBeginsAnew(t *testing.T) {
	d, e := mapped(t, 300, 2)
	set(d, 2, step.Values{"until": 20, "total": 60})
	d.settle(t)
	for d.QualityOf(e).Older {
		d.frame(t)
	}
	was := d.QualityOf(e).Now
	if err := e.Restart(nil, false); err != nil {
		t.Fatal(err)
	}
	if q := d.QualityOf(e); was == nil || q.Now != nil || q.Before != was || !q.Older {
		t.Errorf("of a run that begins anew there is %+v, before %+v", q.Now, q.Before)
	}
}
