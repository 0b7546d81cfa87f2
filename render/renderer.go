// Package render draws maps with OpenGL 4.1 core: points, edges, landmarks, and pictures of them in
// files. It knows nothing of windows. Everything here belongs to the one thread that owns the context.
//
// Coordinates are pixels from the top left corner, y down, and the first row of every texture and
// picture is its top: a texture is shown with (0,0) at its top left corner, nothing is flipped.
//
// A frame: write positions into PointBuffer.Host and call Upload, likewise values and states; Layer.Begin,
// Layer.DrawRange (as often as wanted, over several frames), Layer.Resolve, Layer.DrawEdges and
// Layer.DrawLandmarks; show Layer.Texture. Drawing leaves framebuffer 0 bound, with no program, no vertex
// array, and the scissor and depth tests off; the viewport and the blend function are not restored.
package render

import (
	"strings"
	"time"
	"unsafe"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
)

// Path is how points are drawn.
type Path uint8

const (
	Auto Path = iota // the CPU where OpenGL is software and the CPU is faster, else OpenGL
	OpenGL
	CPU
)

// PathVariable is the environment variable that the program takes a Path from, by these names; it is for
// tests of drivers, and for machines where Auto chooses wrong.
const PathVariable = "BLOSSOM_DRAW"

// PathNamed returns the path of a name, Auto for one that is not known.
func PathNamed(name string) Path {
	switch strings.ToLower(name) {
	case "opengl":
		return OpenGL
	case "cpu":
		return CPU
	}
	return Auto
}

// Options of a Renderer; the zero value is right for the program.
type Options struct {
	Path      Path
	Threads   int              // threads of the CPU path; 0: all cores
	Clock     func() time.Time // nil: time.Now
	ShaderDir string           // read shaders from this folder and again when they change; "": embedded
	// ProcAddress finds OpenGL's functions in the current context; nil: they have been loaded.
	ProcAddress func(name string) unsafe.Pointer
}

// Info names the OpenGL in use.
type Info struct {
	Vendor, Renderer, Version string
	Software                  bool // no GPU behind it
	MaxTexture                int  // largest side of a texture, pixels
}

// Renderer holds what all drawing shares. Make it with the context current, use it on that thread.
type Renderer struct {
	info     Info
	clock    func() time.Time
	programs programs
	path     Path
	threads  int
	samples  int     // samples of a pixel of points in perspective
	empty    uint32  // a vertex array without attributes
	cost     [3]cost // by Path, of flat points
	depth    [3]cost // costs of points in perspective
	counting cost    // cost of points that are counted in cells
	storages uint64  // counts the allocations of all buffers: each gets the number of its own
	arrays   arrays
	crowds   crowds
}

// ShaderDirVariable is the environment variable whose folder the program passes as Options.ShaderDir.
const ShaderDirVariable = "BLOSSOM_SHADERS"

// New makes a renderer for the current context, whose functions package gl must have loaded. The
// error is a problem.Problem.
func New(o Options) (*Renderer, error) {
	r := &Renderer{clock: o.Clock, threads: o.Threads, arrays: arrays{}}
	if r.clock == nil {
		r.clock = time.Now
	}
	if o.ProcAddress != nil {
		if err := gl.InitWithProcAddrFunc(o.ProcAddress); err != nil {
			return nil, problem.Wrap(err, "", "update the graphics driver", "OpenGL 4.1 is needed (%v)", err)
		}
	}
	var major, minor, size int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	gl.GetIntegerv(gl.MAX_TEXTURE_SIZE, &size)
	r.info = Info{
		Vendor:     gl.GoStr(gl.GetString(gl.VENDOR)),
		Renderer:   gl.GoStr(gl.GetString(gl.RENDERER)),
		Version:    gl.GoStr(gl.GetString(gl.VERSION)),
		MaxTexture: int(size),
	}
	if major < 4 || major == 4 && minor < 1 {
		return nil, problem.New("", "update the graphics driver", "OpenGL 4.1 is needed, this machine has %s",
			r.info.Version)
	}
	r.info.Software = isSoftware(r.info.Renderer)
	if err := r.programs.load(o.ShaderDir); err != nil {
		return nil, err
	}
	r.samples = samples()
	gl.GenVertexArrays(1, &r.empty)
	r.path = o.Path
	if r.path == Auto {
		r.path = OpenGL
		if r.info.Software && r.cpuIsFaster() {
			r.path = CPU
		}
	}
	return r, nil
}

// isSoftware recognises the rasterisers that run on the CPU by their names.
func isSoftware(renderer string) bool {
	name := strings.ToLower(renderer)
	for _, s := range []string{"llvmpipe", "softpipe", "swrast", "swiftshader", "software", "gdi generic",
		"basic render"} {
		if strings.Contains(name, s) {
			return true
		}
	}
	return false
}

// Info names the OpenGL in use.
func (r *Renderer) Info() Info { return r.info }

// Software says whether OpenGL has no GPU behind it.
func (r *Renderer) Software() bool { return r.info.Software }

// Path returns how points are drawn: OpenGL or CPU.
func (r *Renderer) Path() Path { return r.path }

// SetPath changes how points are drawn from the next Layer.Begin on; Auto is not accepted here.
func (r *Renderer) SetPath(p Path) {
	if p == OpenGL || p == CPU {
		r.path = p
	}
}

func (r *Renderer) newStorage() uint64 {
	r.storages++
	return r.storages
}

// ReloadShaders reads shaders again that have changed in Options.ShaderDir. On an error the last good
// program stays in use. It costs a few file checks, and nothing without a ShaderDir. changed asks for
// a redraw.
func (r *Renderer) ReloadShaders() (changed bool, err error) {
	if changed, err = r.programs.reload(r.clock()); changed {
		r.crowds.free()
	}
	return changed, err
}

// Close frees everything that the renderer itself made.
func (r *Renderer) Close() {
	r.programs.free()
	gl.DeleteVertexArrays(1, &r.empty)
	r.arrays.free()
	r.crowds.free()
	for i := range r.cost {
		r.cost[i].free()
		r.depth[i].free()
	}
}
