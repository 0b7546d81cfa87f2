package job

import (
	"context"
	"fmt"
	"io"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job/run"
	"blossom/model/maps/derived"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// Film wants a film: pictures that look as Picture says, of something that goes on. What that is is a Subject.
type Film struct {
	Picture
	run.Beginning          // where a training begins that is shown
	Layout        string   `json:"layout,omitempty"` // a layout.Algorithm ID that moves landmarks after a training
	Of            string   `json:"of"`               // the ID of a subject
	Frames        int      `json:"frames"`
	Rate          int      `json:"rate"`                 // frames per second
	NoCaption     bool     `json:"no_caption,omitempty"` // frames do not say which moment they show
	Points        int      `json:"-"`                    // points of the data, once it is made
	Moments       []Moment `json:"moments,omitempty"`    // they follow each other, where the subject is made of them

	past []Past // the moments with their states, of a map that the session keeps
}

// Moment is a state on the way of a film.
type Moment struct {
	Name string  `json:"name"`
	At   float64 `json:"at"` // when it is reached: a share of the film, rising from 0 to 1
	// State are the parts that are not as in the job, by their IDs: landmarks, transform, projection.
	State map[string]state.Encoded `json:"state,omitempty"`
}

// Subject is what films can be of: a member of a family.
type Subject struct {
	ID    string
	Title string // as the window offers it
	Help  string // a line: what its frames show
	// Anywhere: points may lie where columns or a file say, else a map is made. Trains: it trains the landmarks itself.
	Anywhere, Trains bool
	// Runs is the kind of the embedding that it runs; "": none.
	Runs  string
	Flags string // words on the flags that say more
	// Fits says whether it is what a film is of where nobody says so; the first that fits is.
	Fits func(session, deep bool) bool
	// Past picks the moments of a document's history, where it is of that; from and to are what the user has said, each
	// the number of a moment or its name, and nil else. The error is a Problem.
	Past func(d *state.Document, from, to string) ([]Past, error)
	// One: Past is of the one entry that from names; Two: it is of the moments from and to.
	One, Two bool
	// Kept begins the frames of another map than EmbedSOM, which the session keeps at those moments; nil: it cannot.
	Kept func(ctx context.Context, f *Film, w *Work) (Shots, error)
	// Begin begins the frames. The error is a Problem, or ctx's.
	Begin func(ctx context.Context, f *Film, w *Work) (Shots, error)
}

// Past is a moment of a history.
type Past struct {
	Name   string
	State  state.State
	Weight float64 // how long the way to it is beside others
}

// Shots are the frames of a film, asked for in their order, each once.
type Shots interface {
	// Shot is what frame k shows, from 0 on.
	Shot(ctx context.Context, k int) (*Shot, error)
	Close()
}

// Shot is what one frame shows: all that a picture needs. The same Shot twice is the same frame.
type Shot struct {
	Picture Picture
	Drawn   *Drawn
}

var subjects []Subject

// RegisterSubject adds a subject. It panics if the ID is taken.
func RegisterSubject(s Subject) {
	if _, taken := subjectByID(s.ID); taken {
		panic("job: registered twice: " + s.ID)
	}
	subjects = append(subjects, s)
}

// Subjects are all there are.
func Subjects() []Subject { return slices.Clone(subjects) }

func subjectByID(id string) (Subject, bool) {
	at := slices.IndexFunc(subjects, func(s Subject) bool { return s.ID == id })
	if at < 0 {
		return Subject{}, false
	}
	return subjects[at], true
}

// SubjectIDs are the IDs of all.
func SubjectIDs() (ids []string) {
	for _, s := range subjects {
		ids = append(ids, s.ID)
	}
	return ids
}

// Filmer makes films. A program that draws sets it.
type Filmer struct {
	// Check says what is wrong with the file that is named, its size and its transparency, before any work.
	Check func(f *Film) error
	// Make writes the frames; text is what the file says of itself.
	Make func(ctx context.Context, f *Film, shots Shots, text [][2]string, to io.Writer, threads int,
		progress func(done, total int64)) error
}

// Films is what films are made with.
var Films *Filmer

func init() {
	Register(Kind{ID: "film", New: func() Want { return NewFilm() }, Lacks: unpainted,
		Needs: func(w Want) engine.Capability { return filmNeeds(w.(*Film)) }})
}

// NewFilm is a film of which nothing is said.
func NewFilm() *Film {
	f := &Film{Picture: *NewPicture(), Frames: 200, Rate: 25}
	f.Size = [2]int{1280, 960}
	return f
}

// What returns the ID of the kind.
func (f *Film) What() string { return "film" }

// Paths are the files that it names.
func (f *Film) Paths() (written, read []*string) {
	return []*string{&f.Output}, []*string{&f.Coordinates, &f.Beginning.Shape}
}

// mostFrames are an hour of a film at 25 a second.
const mostFrames = 90_000

// Check says what is wrong with the wish.
func (f *Film) Check() error {
	wrong := func(remedy, format string, args ...any) error {
		return run.Usage{Err: problem.New("", remedy, format, args...)}
	}
	if err := f.checkLook(); err != nil {
		return err
	}
	subject, known := subjectByID(f.Of)
	switch {
	case f.Of != "" && !known:
		return wrong("use "+problem.OneOf(SubjectIDs()...), "there are no films of %.60q", f.Of)
	case f.Frames < 2 || f.Frames > mostFrames:
		return wrong("use 2 to 90,000", "a film of %s is not possible", problem.Count(f.Frames, "frame"))
	case f.Rate < 1 || f.Rate > 60:
		return wrong("use 1 to 60", "--fps %d is not possible", f.Rate)
	case known && !subject.Anywhere && !f.Mapped() && (f.Embedding.Kind == "" || subject.Kept == nil):
		return wrong("leave --at, --positions, --coordinates and --embedding out, or film another thing",
			"a film of %s makes the map itself", f.Of)
	case f.Output == "-":
		return wrong("name a file: its ending says which kind it is", "a film is not written to standard output")
	}
	for i, m := range f.Moments {
		if !(m.At >= 0 && m.At <= 1) || i > 0 && m.At < f.Moments[i-1].At || i == 0 && m.At != 0 {
			return wrong("let them rise from 0 to 1", "moment %d of a film is reached at %g of it", i+1, m.At)
		}
	}
	if err := f.Beginning.Check(); err != nil {
		return err
	}
	if Films == nil || f.Output == "" {
		return nil
	}
	return run.Wrong(context.Background(), Films.Check(f))
}

// mostCarried is how long the text may be that says how a film was made.
const mostCarried = 16 << 20

// Make films it.
func (f *Film) Make(ctx context.Context, w *Work) (err error) {
	if Films == nil {
		return problem.New("", "use a build that draws", "this program makes no films")
	}
	subject, known := subjectByID(f.Of)
	if !known {
		return problem.New("", "say of: "+problem.OneOf(SubjectIDs()...), "it is not said what the film is of")
	}
	begin := subject.Begin
	if f.Embedding.Kind != "" && !subject.Anywhere {
		begin = subject.Kept
	}
	shots, err := begin(ctx, f, w)
	if err != nil {
		return err
	}
	defer shots.Close()
	f.Points = w.table.Points
	for _, said := range disclaimer(w.table) {
		if !slices.Contains(w.Notes, said[1]) {
			w.Notes = append(w.Notes, said[1])
		}
	}
	d := &Drawn{Text: f.say(w)}
	if !f.NoRecipe {
		if err := d.carry(ctx, w); err != nil {
			return err
		}
		f.shorten(d, w)
	}
	if f.Output == "" {
		return nil
	}
	return w.Files.Write(f.Output, func(to io.Writer) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		return Films.Make(ctx, f, shots, d.Text, to, w.Options.Engine.Threads, w.Options.Report.Stage("filming"))
	})
}

// shorten leaves out how the film was made, the last of the text, where that is more than the file can carry.
func (f *Film) shorten(d *Drawn, w *Work) {
	last := len(d.Text) - 1
	if len(d.Text[last][1]) <= mostCarried {
		return
	}
	w.Notes = append(w.Notes, "the film does not say how it was made: with all its moments that is too much")
	d.Text = d.Text[:last]
}

// say is what the film says of itself.
func (f *Film) say(w *Work) [][2]string {
	how := fmt.Sprintf("a film of %d points in %d frames (%s), seed %d, engine %s", w.table.Points,
		f.Frames, f.Of, w.Seed, w.engineName())
	return append([][2]string{{"Software", w.Options.Program}, {"Source", filepath.Base(w.Data[0].Path)},
		{"Comment", how}}, disclaimer(w.table)...)
}

// titled is the picture of a frame that shows the moment of a name.
func (f *Film) titled(name string) Picture {
	p := f.Picture
	p.Output = ""
	switch {
	case f.NoCaption || name == "":
	case p.Title == "":
		p.Title = name
	default:
		p.Title += " · " + name
	}
	return p
}

// share is how much of the film has gone by at frame k.
func (f *Film) share(k int) float64 { return float64(k) / float64(f.Frames-1) }

// box is what is shown of positions; nil: there are none.
func (f *Film) box(places embedding.Result, d *Drawn) [][2]float64 {
	in := derived.Positions{Dims: places.Dims, Pos: places.Pos}
	if d.Landmarks.Len() > 0 {
		in.Marks = d.Landmarks.Pos
	}
	low, high, ok := derived.Core(in)
	if !ok {
		return nil
	}
	if f.AllPoints {
		for i, x := range places.Pos {
			if axis, v := i%places.Dims, float64(x); v-v == 0 {
				low[axis], high[axis] = min(low[axis], v), max(high[axis], v)
			}
		}
	}
	out := make([][2]float64, places.Dims)
	for axis := range out {
		if out[axis] = [2]float64{low[axis], high[axis]}; !(high[axis] > low[axis]) {
			out[axis] = [2]float64{low[axis] - 0.5, low[axis] + 0.5}
		}
	}
	return out
}

// union is the box around two; nil is none.
func union(a, b [][2]float64) [][2]float64 {
	if len(a) != len(b) {
		if len(b) == 0 {
			return a
		}
		return b
	}
	out := slices.Clone(a)
	for i := range out {
		out[i] = [2]float64{min(a[i][0], b[i][0]), max(a[i][1], b[i][1])}
	}
	return out
}

// projected is what there is to draw of landmarks, projected as params say.
func (f *Film) projected(ctx context.Context, w *Work, p *Picture) (*Drawn, error) {
	r, err := w.Resident(ctx)
	if err != nil {
		return nil, err
	}
	m, err := w.Map()
	if err != nil {
		return nil, err
	}
	if err := m.Project(ctx, r, parts.Projection.Of(w.Parts), nil); err != nil {
		return nil, err
	}
	for _, note := range m.Notes { // frames have the same
		if !slices.Contains(w.Notes, note) {
			w.Notes = append(w.Notes, note)
		}
	}
	d := &Drawn{Data: w.table, Spec: parts.Transform.Of(w.Parts), Map: m}
	d.ofMap(m, w)
	return d, p.known(ctx, d, w)
}

// ForFlags gives an opened job the state that the flags mean for the film.
func (f *Film) ForFlags(ctx context.Context, j *Job, s *run.Flags) error {
	subject, _ := subjectByID(f.Of)
	switch {
	case subject.Past != nil:
		return run.Usage{Err: problem.New("", "give a session that was saved with its history",
			"a film of %s is of a session", f.Of)}
	case subject.Runs != "":
		f.Beginning.Dims = s.Origin.Dims
		if err := j.ForPoints(ctx, s); err != nil {
			return err
		}
		return j.Values(subject.recipe(f), nil)
	}
	if err := j.ForPicture(ctx, s, &f.Picture); err != nil || !subject.Trains {
		return err
	}
	for _, want := range j.Wanted {
		if l, trained := want.(*Landmarks); trained {
			f.Beginning, f.Layout = l.Beginning, l.Layout
		}
	}
	j.Wanted = nil
	return nil
}
