package engine

import "blossom/model/base/registry"

// Options are what the user can set about an engine.
type Options struct {
	Threads int    // 0: all cores
	Device  int    // which card, where there are several
	Beside  []int  // further cards, which share what they can; with Window they are for runs beside it
	Memory  int64  // at most so many bytes of the device; 0: what is free
	Variant string // one of Registration.Variants; "" for the fastest that works here
	// Knn and Projection name the kernels of the two stages, for comparisons; "" for the fastest.
	Knn, Projection string
	// GL makes an OpenGL context current on the calling thread and returns how to leave it. Window says
	// that this is the window's own context: all calls then come from its thread, and buffers can be
	// shared with drawing. nil: there is no OpenGL here.
	GL     func() (release func(), err error)
	Window bool
}

// Kind is what an engine is good for.
type Kind uint8

const (
	Processor Kind = iota // computes with the processor, wherever the program runs
	Card                  // computes with a graphics card
	Yardstick             // is there to compare with; nobody waits for it who does not ask for it
)

// Limits are the largest codebook and the most columns that an engine takes; 0: any number.
type Limits struct{ Landmarks, Columns int }

// Takes says whether g landmarks of d columns are within the limits.
func (l Limits) Takes(g, d int) bool {
	return (l.Landmarks == 0 || g <= l.Landmarks) && (l.Columns == 0 || d <= l.Columns)
}

// Registration is how an engine package announces itself from its init. Nothing about an engine is known
// anywhere else.
type Registration struct {
	Name     string // on the command line, in files and numbers: "cuda"
	Title    string // for people: "CUDA"; "" for the name
	Note     string // a remark for lists, beside the device: "exact and slow, for comparison"
	Needs    string // "an NVIDIA card"; "" for an engine that works everywhere
	Kind     Kind
	Limits   Limits
	Priority int // the highest available one is chosen by "auto"
	// Probe says, without taking memory, whether the engine works here; why explains a no in words a
	// user can act on; device names what it would run on.
	Probe func(Options) (ok bool, why, device string)
	// Prefer says whether "auto" may choose the engine, with the care of Probe, which it includes; nil:
	// wherever Probe says yes. An engine that works but is slower than those of lower priority says no.
	Prefer func(Options) bool
	New    func(Options) (Engine, error)
	// Start does what takes a while before New, and is then done, for as long as the program runs; nil: there is
	// nothing. Where it fails, New will say so.
	Start func(Options)
	// Variants names the instruction sets, or families of kernels, that Options.Variant chooses among on this
	// machine, the fastest first; nil: there is no choice.
	Variants func() []string
	// Kernels names what Options.Knn and Options.Projection choose among; nil: there is one of each.
	Kernels func() (knn, projection []string)
	// Published names those of them that are of published systems, the best of their papers last; nil: there are none.
	Published func() (knn, projection []string)
	// Card says (problem.Problem) why there is no card of the number Options.Device; nil: the engine has one
	// device, and the number means nothing to it.
	Card func(device int) error
}

var engines = registry.New("engine", func(r Registration) string { return r.Name },
	func(a, b Registration) int { return b.Priority - a.Priority })

// Register adds an engine. It panics if the name is taken: two packages claim one name.
func Register(r Registration) {
	if r.Title == "" {
		r.Title = r.Name
	}
	engines.Add(r)
}

// Start begins what takes a while before the engine of a name is opened, or before any is for "auto" or "", beside what
// the program does meanwhile. It is for programs that come to an end with their work.
func Start(name string, o Options) {
	for _, r := range Registered() {
		switch {
		case r.Start == nil:
		case name == r.Name:
			go r.Start(o)
		case name == "" || name == Auto:
			go func() {
				if r.Prefer == nil || r.Prefer(o) {
					r.Start(o)
				}
			}()
		}
	}
}

// Registered returns all engines, highest priority first.
func Registered() []Registration { return engines.All() }

// Named returns the engine of that name; of one that is not registered, its name.
func Named(name string) (r Registration, ok bool) {
	if r, ok = engines.Find(name); ok {
		return r, true
	}
	return Registration{Name: name, Title: name}, false
}

// Names returns the names that --engine takes: "auto", and those of all engines.
func Names() []string {
	names := []string{Auto}
	for _, r := range Registered() {
		names = append(names, r.Name)
	}
	return names
}

// Cards are the numbers of the cards that there are, as far as an engine knows several: 0 stands for whatever there is.
func Cards() []int {
	all := []int{0}
	for _, r := range Registered() {
		for r.Card != nil && r.Card(len(all)) == nil {
			all = append(all, len(all))
		}
	}
	return all
}

// other says, for a remedy, which engine takes g landmarks of d columns where limits do not: ", or engine cpu".
func other(limits Limits, g, d int) string {
	for _, r := range Registered() {
		if r.Limits != limits && r.Limits.Takes(g, d) && r.Kind != Card {
			return ", or engine " + r.Name
		}
	}
	return ""
}
