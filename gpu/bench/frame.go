//go:build cgo && !static

package bench

import (
	"context"
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"blossom/gpu/bench/contest"
	"blossom/gpu/bench/table"
	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/model/work/engine"
	"blossom/render"
	"blossom/render/camera"
	"blossom/render/egl"
	"blossom/render/palette"
)

// Framed is a row of the measure frame. Times of frames are in milliseconds.
type Framed struct {
	table.Row
	P50     float64 `json:"p50_ms"`
	P99     float64 `json:"p99_ms"`
	Max     float64 `json:"max_ms"`
	Frames  int     `json:"frames"`
	Shown   int     `json:"shown"`           // points on screen in a frame, median: those that keep up
	Fresh   float64 `json:"fresh"`           // share of the points that a frame leaves as new as its inputs, median
	Units   float64 `json:"units,omitempty"` // units a frame of the map that forms beside
	Drawing string  `json:"drawing"`         // the OpenGL that drew, or why nothing was drawn
}

func init() {
	ms := func(head string, of func(Framed) float64) table.Column {
		return table.Text(head, func(r Framed) string { return fmt.Sprintf("%.3f", of(r)) })
	}
	Register(Measure{Name: "frame", Title: "frames of the window",
		Help: `Times what a frame of the window takes until it is drawn, at 1280 x 800 pixels, without a
display: everything, the frame after codebook and positions have moved; landmarks, after all positions have;
one, while one landmark is dragged; som, while a map is trained; idle, when nothing has; and one landmark
dragged while t-SNE of all points forms in a second view, by so many units a frame. A frame keeps to its budget:
where not all points can follow in it, shown and fresh say how many do.`,
		Flags: []Flag{deviceFlag,
			engineFlag(", and gpu is those of graphics cards that work (default: all that work here)"),
			pointsFlag(1, most, "one size (default: as many of 50 thousand to 100 million as fit into memory)")},
		Columns: []table.Column{
			table.Word("frame", func(r Framed) string { return r.Stage }),
			table.Word("engine", func(r Framed) string { return r.Engine }),
			table.Word("path", func(r Framed) string { return r.Variant }),
			table.Size("points", func(r Framed) int { return r.N }),
			ms("p50 ms", func(r Framed) float64 { return r.P50 }),
			ms("p99 ms", func(r Framed) float64 { return r.P99 }),
			ms("max ms", func(r Framed) float64 { return r.Max }),
			table.Size("frames", func(r Framed) int { return r.Frames }),
			table.Size("shown", func(r Framed) int { return r.Shown }),
			table.Text("fresh", func(r Framed) string { return fmt.Sprintf("%.0f %%", 100*r.Fresh) }),
			table.Value("units", func(r Framed) float64 { return r.Units }),
		},
		Note: func(rows []any) string {
			return "16 columns, 16 x 16 landmarks, k 16; " + rows[0].(Framed).Drawing
		},
		Run: func(ctx context.Context, r *Run) error {
			names, err := frameEngines(r)
			if err != nil {
				return err
			}
			return frames(ctx, r, frameOptions{sizes: r.points(), engines: names, least: frameLeast, warm: frameWarm,
				time: frameTime, free: freeMemory()})
		}})
}

// frameEngines are the names of the engines that a run was asked for: all that work here but the reference.
func frameEngines(r *Run) (names []string, err error) {
	asked := r.Text("engine")
	if asked != "" && asked != contest.Cards {
		return []string{asked}, nil
	}
	for _, reg := range engine.Registered() {
		if ok, _, _ := reg.Probe(r.Compute()); ok && reg.Kind != engine.Yardstick &&
			(asked == "" || reg.Kind == engine.Card) {
			names = append(names, reg.Name)
		}
	}
	if names == nil {
		return nil, problem.New("", "see 'blossom doctor'", "no engine of a graphics card works here")
	}
	return names, nil
}

// frameOptions say what is measured, and how long.
type frameOptions struct {
	sizes       []int // nil: frameSizes as far as they fit into memory
	engines     []string
	time        time.Duration // how long a case is measured
	least, warm int
	free        int64 // bytes of memory
}

// frameSizes are the numbers of points of the table.
var frameSizes = []int{50_000, 1_000_000, 10_000_000, 100_000_000}

// The problem: 16 columns, a grid of 16 x 16 landmarks, 16 neighbours; the picture has 1280 x 800 pixels.
const (
	frameD, frameSide, frameK = 16, 16, 16
	frameW, frameH            = 1280, 800
)

// How long a case is measured.
const (
	frameLeast, frameMost = 30, 400
	frameTime             = 3 * time.Second
	frameWarm             = 12
	restTime              = 5 * time.Second
)

const idle = "idle"

// frameCases are what happens in every frame, in the order of the rows.
var frameCases = []string{"everything", "landmarks", "one", "som", idle}

// frameBytes estimates the memory that frames of n points take: the points, their neighbours, positions
// and colours, here and in buffers of OpenGL.
func frameBytes(n int) int64 {
	points, neighbours := int64(4*frameD), int64(8*(frameK+1))
	picture := int64(2 * (8 + 4 + 1))
	return int64(n) * (points + neighbours + picture)
}

// sized are the numbers of points that are measured; those of the table are left out where there is no room for them.
func (o frameOptions) sized(note func(string)) ([]int, error) {
	for _, n := range o.sizes {
		if need := frameBytes(n); need > o.free {
			return nil, fits(need, "%d points", n)
		}
	}
	if o.sizes != nil {
		return o.sizes, nil
	}
	var sizes []int
	for _, n := range frameSizes {
		if need := frameBytes(n); n > 1_000_000 && need > o.free*3/4 {
			note(fmt.Sprintf("%d points are left out: they take %.1f GB of memory, %.1f GB are free", n,
				float64(need)/1e9, float64(o.free)/1e9))
			continue
		}
		sizes = append(sizes, n)
	}
	return sizes, nil
}

// frames times the frames of the window without the window: the map that lies behind it and the drawing
// of its points, at its budgets, each frame until all of it is drawn.
func frames(ctx context.Context, r *Run, o frameOptions) error {
	sizes, err := o.sized(r.Note)
	if err != nil {
		return err
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	s := &stage{run: r, o: o, compute: r.Compute()}
	defer s.close()
	if err := s.open(); err != nil {
		return err
	}
	for _, n := range sizes {
		if need := frameBytes(n); need > 1<<30 {
			r.Note(fmt.Sprintf("%d points take about %.1f GB of memory", n, float64(need)/1e9))
		}
		opened, err := frameData(ctx, n)
		if err != nil {
			return err
		}
		for _, name := range o.engines {
			if err := s.measure(ctx, name, opened); err != nil {
				return err
			}
		}
	}
	return nil
}

// stage is where maps are shown: a context without a display, or nothing.
type stage struct {
	run     *Run
	o       frameOptions
	compute engine.Options
	context *egl.Context
	r       *render.Renderer
	drawing string
}

// open makes the context. Without one the engines are measured all the same.
func (s *stage) open() error {
	c, err := egl.New(egl.Options{})
	if err != nil {
		s.drawing = "not drawn: " + problem.As(err).What
		s.run.Note(s.drawing)
		return nil
	}
	s.context = c
	if s.r, err = render.New(render.Options{Path: render.PathNamed(os.Getenv(render.PathVariable)),
		Threads: s.compute.Threads}); err != nil {
		return err
	}
	s.drawing = s.r.Info().Renderer
	if s.r.Path() == render.CPU {
		s.drawing = "drawn by the processor"
	}
	s.compute.Window = true
	s.compute.GL = func() (func(), error) { return func() {}, nil }
	return nil
}

func (s *stage) close() {
	if s.r != nil {
		s.r.Close()
	}
	if s.context != nil {
		s.context.Close()
	}
}

// measure runs all cases of one size on one engine.
func (s *stage) measure(ctx context.Context, name string, opened *opening.Opened) error {
	engines, err := engine.Open(name, s.compute)
	if err != nil {
		return err
	}
	defer engines.Close()
	s.run.Say(fmt.Sprintf("frame: engine %s, %d points", name, opened.Table.X.Rows))
	p := &player{stage: s, n: opened.Table.X.Rows}
	if p.target = embedsom.NewHostTarget(p.n, 2); s.r != nil {
		p.target = nil
		p.points = s.r.NewPointBuffer(p.n, 2)
		defer p.points.Free()
		p.values = s.r.NewValueBuffer(p.n)
		defer p.values.Free()
		p.layer = s.r.NewLayer()
		defer p.layer.Free()
	}
	if p.m, err = live.NewMap(&opening.Opened{Doc: p.document(opened), Table: opened.Table}, &engines,
		live.Buffers{Make: func(int, int) embedsom.Target { return p.buffer() }}, p.jobs()); err != nil {
		return err
	}
	defer p.closeBeside()
	defer p.m.Close()
	p.m.Notice = func(text string) {
		if text != "training settled" {
			s.run.Note(text)
		}
	}
	stages := frameCases
	if p.besides() {
		stages = append(slices.Clone(stages), besideTSNE)
	}
	for _, stage := range stages {
		// A slow machine is not waited for but before the first case and where there must be nothing to do.
		limit := restTime
		if stage == frameCases[0] || stage == idle {
			limit = math.MaxInt64
		}
		if err := p.rest(ctx, limit); err != nil {
			return err
		}
		if stage == besideTSNE {
			if err := p.form(ctx); err != nil {
				return err
			}
		}
		times, shown, fresh, err := p.play(ctx, stage)
		if err != nil {
			return err
		}
		if now := engines.Engine().Name(); now != name {
			return problem.New("", "see what was said above",
				"engine %s gave up at %d points; engine %s took over", name, p.n, now)
		}
		s.run.Add(p.row(name, stage, times, shown, fresh))
	}
	return nil
}

func (p *player) row(engine, stage string, times []float64, shown []int, fresh []float64) Framed {
	slices.Sort(times)
	slices.Sort(shown)
	slices.Sort(fresh)
	e := p.m.Engine()
	variant := e.Device()
	if path, plan := p.m.Path(); path != "" {
		variant = strings.TrimSuffix(path+"; "+plan, "; ")
	}
	r := Framed{Row: rowOf("frame", variant, stage, p.n, frameD, frameSide*frameSide, times),
		Frames: len(times), Shown: shown[len(shown)/2], Fresh: fresh[len(fresh)/2], Drawing: p.drawing}
	at := func(q float64) float64 { return times[int(q*float64(len(times)-1)+0.5)] * 1e3 }
	r.Engine, r.K, r.Device = engine, frameK, e.Device()
	r.P50, r.P99, r.Max, r.Units = at(0.5), at(0.99), at(1), p.rate(len(times))
	return r
}

// player is one map on a stage.
type player struct {
	*stage
	n      int
	m      *live.Map
	target *embedsom.HostTarget // where nothing is drawn
	points *render.PointBuffer
	values *render.ValueBuffer
	layer  *render.Layer
	last   time.Time
	drawn  int
	shown  int
	sets   []*landmark.Set
	failed error
	beside
	posted posted
}

// buffer makes room for positions: the first are those that the cases are about.
func (p *player) buffer() embedsom.Target {
	switch {
	case p.made && p.points != nil:
		return p.another()
	case p.made:
		return embedsom.NewHostTarget(p.n, 2)
	}
	p.made = true
	if p.points != nil {
		return p.points
	}
	return p.target
}

// document is a fresh document over the same points.
func (p *player) document(o *opening.Opened) *state.Document {
	s := o.Doc.State()
	return state.New(o.Doc.Data, o.Doc.Title, o.Doc.Seed, s)
}

// rest runs frames until nothing is stale, at most so long.
func (p *player) rest(ctx context.Context, limit time.Duration) error {
	p.m.Training().Pause()
	for start := time.Now(); (p.m.Busy() || p.drawn < p.m.Shown()) && time.Since(start) < limit; {
		if _, err := p.frame(ctx); err != nil {
			return err
		}
	}
	return nil
}

// frame runs one frame as the window does and returns how long it took, until all of it was drawn.
func (p *player) frame(ctx context.Context) (time.Duration, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	start := time.Now()
	elapsed := start.Sub(p.last)
	p.last = start
	p.posted.run()
	held := p.m.Doc.Open()
	p.m.Hold(held)
	changed, err := p.m.Frame(elapsed, live.Budget(held))
	if err == nil {
		err = p.failed
	}
	if err != nil {
		return 0, err
	}
	if p.layer == nil {
		p.drawn = p.m.Shown()
	} else if p.draw(changed); changed {
		p.drawBeside()
		p.r.Finish()
	}
	if changed {
		err = p.m.Wait()
	}
	return time.Since(start), err
}

// draw brings the picture up to date, in parts where it cannot be drawn in a frame.
func (p *player) draw(changed bool) {
	shown := p.m.Shown()
	if changed || shown != p.shown {
		pos := parts.Landmarks.Of(p.m.Doc.State()).Pos
		p.begin(p.layer, pos.Data, pos.Cols, shown)
		p.drawn, p.shown, changed = 0, shown, true
	}
	if p.drawn >= shown && !changed {
		return
	}
	p.drawn = p.layer.DrawNext(p.points, p.values, nil, p.drawn, shown)
	p.layer.Resolve(render.Light().Background)
}

// onScreen is how many points the picture shows.
func (p *player) onScreen() int {
	if p.layer == nil {
		return p.drawn
	}
	return p.layer.Shown(p.drawn)
}

// begin begins a picture that these places fill.
func (p *player) begin(l *render.Layer, places []float32, dims, shown int) {
	cam := camera.NewFlat(frameW, frameH)
	if box, ok := camera.BoundsOf(places, dims); ok {
		cam.Fit(box, camera.Even(40))
	}
	size, opacity := render.AutoStyle(shown, frameW, frameH, 1, 0)
	l.Begin(cam.Projection(), render.Style{Size: size, Opacity: opacity,
		Colouring: palette.Colouring{Palette: palette.Default(), Hi: 1, Missing: render.Light().Missing}})
}

// play repeats a case and returns the seconds of its frames, the points that were shown, and the share
// that was fresh.
func (p *player) play(ctx context.Context, stage string) (times []float64, shown []int, fresh []float64, err error) {
	p.prepare()
	var end time.Time
	for i := 0; ; i++ {
		if i == p.o.warm {
			end = time.Now().Add(p.o.time)
			p.count()
		}
		if i >= p.o.warm+p.o.least && time.Now().After(end) || i == p.o.warm+frameMost {
			break
		}
		if err := p.change(stage, i); err != nil {
			return nil, nil, nil, err
		}
		took, err := p.frame(ctx)
		if err != nil {
			return nil, nil, nil, err
		}
		if i >= p.o.warm {
			times = append(times, took.Seconds())
			shown = append(shown, p.onScreen())
			fresh = append(fresh, 1-p.m.Schedule().Stale())
		}
	}
	p.m.Doc.Commit()
	return times, shown, fresh, nil
}

// prepare makes variations of the landmarks that take turns: all moved a little, in both spaces.
func (p *player) prepare() {
	p.sets = nil
	base := parts.Landmarks.Of(p.m.Doc.State())
	for v := range 8 {
		l := *base
		l.Codebook, l.Pos = base.Codebook.Clone(), base.Pos.Clone()
		for i := range l.Codebook.Data {
			l.Codebook.Data[i] += 0.01 * float32((i*7+v*3)%11-5) / 5
		}
		for i := range l.Pos.Data {
			l.Pos.Data[i] += 0.2 * float32((i*5+v*3)%11-5) / 5
		}
		p.sets = append(p.sets, &l)
	}
}

// change makes a case's change before frame i.
func (p *player) change(stage string, i int) error {
	v := p.sets[i%len(p.sets)]
	l := *parts.Landmarks.Of(p.m.Doc.State())
	switch stage {
	case "everything":
		l.Codebook, l.Pos, l.CodeRev, l.PosRev = v.Codebook, v.Pos, revision.Next(), revision.Next()
		p.m.Doc.Commit()
		p.m.Doc.Do("Everything", func(s *state.State) { parts.Landmarks.Put(s, &l) })
		return nil
	case "landmarks":
		l.Pos, l.PosRev = v.Pos, revision.Next()
	case "one", besideTSNE:
		l.Pos, l.PosRev = l.Pos.Clone(), revision.Next()
		at := l.Pos.Row(l.Pos.Rows / 2)
		at[0] += 0.05 * float32(i%2*2-1)
	case "som":
		if !p.m.Training().Active() {
			return p.m.Training().Again()
		}
		return nil
	case idle:
		return nil
	}
	if !p.m.Doc.Open() {
		p.m.Doc.Begin(stage)
	}
	p.m.Doc.Change(func(s *state.State) { parts.Landmarks.Put(s, &l) })
	return nil
}
