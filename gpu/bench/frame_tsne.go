//go:build cgo && !static

package bench

import (
	"context"
	"time"

	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/render"
)

// A frame is also measured while t-SNE of all points forms in a second view and one landmark is dragged in the first:
// what the hand does goes first, and the map forms in what is left of the budget.
const (
	besideTSNE  = "one beside t-SNE"
	besideMost  = 1_000_000 // points
	besidePlain = 50_000    // points whose neighbours the processor finds in time for a bench
	besideWarm  = 20        // units before it is measured
)

// beside is the second view.
type beside struct {
	made   bool // the first buffer
	second *live.Embedding
	room   *render.PointBuffer
	layer2 *render.Layer
	units  int64 // when frames began to be measured
}

// besides says whether frames beside t-SNE are measured here.
func (p *player) besides() bool {
	caps := p.m.Caps()
	return p.n <= besideMost && (p.n <= besidePlain || caps.Neighbours != nil && caps.TSNE != nil)
}

// another makes room for the second view.
func (p *player) another() embedsom.Target {
	p.room, p.layer2 = p.r.NewPointBuffer(p.n, 2), p.r.NewLayer()
	return p.room
}

// form opens t-SNE beside the map and waits until it forms.
func (p *player) form(ctx context.Context) error {
	recipe := embedding.TSNE(2)
	p.m.Show([]embedding.Recipe{embedding.EmbedSOM(), recipe})
	p.second = p.m.Embedding(recipe)
	for p.second.Stands().Units < besideWarm {
		if err := p.second.Err(); err != nil {
			return err
		}
		if _, err := p.frame(ctx); err != nil {
			return err
		}
		if p.second.Stands().Job != nil {
			time.Sleep(time.Millisecond) // neighbours are looked for, beside the frame
		}
	}
	return nil
}

// drawBeside draws the second view, whole.
func (p *player) drawBeside() {
	if p.room == nil || p.second == nil || p.second.Shown() == 0 {
		return
	}
	p.begin(p.layer2, []float32{-50, -50, 50, 50}, 2, p.n)
	p.layer2.DrawRange(p.room, p.values, nil, 0, p.n)
	p.layer2.Resolve(render.Light().Background)
}

func (p *player) closeBeside() {
	if p.room != nil {
		p.layer2.Free()
		p.room.Free()
	}
}

// count begins to count units.
func (p *player) count() {
	if p.second != nil {
		p.units = p.second.Stands().Units
	}
}

// rate is how many units of the map beside were done in a frame.
func (p *player) rate(frames int) float64 {
	if p.second == nil {
		return 0
	}
	return float64(p.second.Stands().Units-p.units) / float64(frames)
}

// posted are what jobs beside the frame have for the main thread.
type posted chan func()

func (q posted) run() {
	for {
		select {
		case f := <-q:
			f()
		default:
			return
		}
	}
}

// jobs returns those of a map: what they post is done at the beginning of a frame.
func (p *player) jobs() *work.Jobs {
	p.posted = make(posted, 1024)
	return &work.Jobs{Post: func(f func()) { p.posted <- f }, Failed: func(err error) { p.failed = err }}
}
