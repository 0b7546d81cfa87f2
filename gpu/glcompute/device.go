package glcompute

import (
	"errors"
	"fmt"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
)

// device is what the current context can do.
type device struct {
	name     string
	software bool
	block    int // bytes of the largest buffer that a kernel can read
	shared   int // bytes of memory that a group of invocations can share
	lists    int // bytes that the lists of one dispatch may take
	chunk    int // quads that a point may have to be in registers as a whole, with another one
	memory   int // the query for free memory: one of the two below, or 0
}

// From GL_NVX_gpu_memory_info and GL_ATI_meminfo; both count kilobytes.
const (
	nvxFree = 0x9049
	atiFree = 0x87FB
)

// OpenGL 4.3 promises these.
const (
	leastBlock  = 1 << 24
	leastShared = 1 << 15
)

const updateDriver = "update the graphics driver, or use --engine cpu"

// openDevice loads OpenGL's functions for the current context and asks it what it is. The bindings are those of 4.1,
// which rendering has too: they load what 4.3 has beside that where it is there, so only the version tells.
func openDevice() (device, error) {
	var d device
	if err := gl.Init(); err != nil { // it stops at the first that is missing: nothing may be called then
		return d, problem.Wrap(err, "", updateDriver,
			"not here: computing needs OpenGL 4.3, of which a function is missing (%v)", err)
	}
	forget()
	var major, minor int32
	gl.GetIntegerv(gl.MAJOR_VERSION, &major)
	gl.GetIntegerv(gl.MINOR_VERSION, &minor)
	d.name = gl.GoStr(gl.GetString(gl.RENDERER))
	if 10*major+minor < 43 {
		return d, problem.New("", updateDriver, "not here: computing needs OpenGL 4.3, and this is %d.%d (%s)", major,
			minor, d.name)
	}
	d.lists, d.chunk, d.software = listBytes, 16, isSoftware(d.name)
	if d.software {
		d.chunk = 8 // compiling takes long, and a processor has fewer registers
	}
	var block int64
	var count int32
	gl.GetInteger64v(gl.MAX_SHADER_STORAGE_BLOCK_SIZE, &block)
	d.block = int(min(max(block, leastBlock), 1<<31-1)) // some drivers have a number that is not one
	var shared int32
	gl.GetIntegerv(gl.MAX_COMPUTE_SHARED_MEMORY_SIZE, &shared)
	d.shared = max(int(shared), leastShared)
	gl.GetIntegerv(gl.NUM_EXTENSIONS, &count)
	for i := range uint32(count) {
		switch gl.GoStr(gl.GetStringi(gl.EXTENSIONS, i)) {
		case "GL_NVX_gpu_memory_info":
			d.memory = nvxFree
		case "GL_ATI_meminfo":
			d.memory = atiFree
		}
	}
	return d, check("asking OpenGL what it is")
}

// String is the device for people.
func (d device) String() string {
	if d.software {
		name, _, _ := strings.Cut(d.name, " ")
		return name + " (software, slower than the processor)"
	}
	return d.name
}

// isSoftware recognises the rasterisers that run on the processor by their names.
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

// free returns the free bytes of the card, 0 where it does not say.
func (d device) free() int64 {
	if d.memory == 0 {
		return 0
	}
	var kb [4]int32
	gl.GetIntegerv(uint32(d.memory), &kb[0])
	return int64(kb[0]) << 10
}

// failure is an error of OpenGL.
type failure struct {
	what string
	code uint32
}

func (f failure) Error() string {
	names := map[uint32]string{
		gl.INVALID_ENUM: "invalid enum", gl.INVALID_VALUE: "invalid value", gl.INVALID_OPERATION: "invalid operation",
		gl.INVALID_FRAMEBUFFER_OPERATION: "invalid framebuffer", gl.OUT_OF_MEMORY: "out of memory",
		contextLost: "the context is lost",
	}
	name := names[f.code]
	if name == "" {
		name = fmt.Sprintf("error %#x", f.code)
	}
	return fmt.Sprintf("%s: OpenGL says: %s", f.what, name)
}

const contextLost = 0x0507

// check returns the error that OpenGL has noted, if any.
func check(what string) error {
	code := gl.GetError()
	if code == gl.NO_ERROR {
		return nil
	}
	forget()
	if code == gl.OUT_OF_MEMORY {
		return outOfMemory(what)
	}
	f := failure{what, code}
	return problem.Wrap(f, "", updateDriver, "%v", f)
}

func outOfMemory(what string) error {
	f := failure{what, gl.OUT_OF_MEMORY}
	return problem.Wrap(f, "", "close other programs, open a sample of the points, or use --engine cpu", "%v", f)
}

// isFull says whether err is that the card has no memory left.
func isFull(err error) bool {
	var f failure
	return errors.As(err, &f) && f.code == gl.OUT_OF_MEMORY
}

// forget drops errors that were noted before: in a window they may be of drawing.
func forget() {
	for range 16 { // a lost context says so for ever
		if gl.GetError() == gl.NO_ERROR {
			return
		}
	}
}
