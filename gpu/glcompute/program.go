package glcompute

import (
	"fmt"
	"strings"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
	"blossom/shaders"
)

// The names of all uniforms, in the order of program.at.
var uniforms = [...]string{"from", "count", "d", "quads", "g", "k", "find", "outFrom", "scale", "boost", "adjust",
	"listed", "dims", "groups", "members", "slack", "reach", "parts", "plain"}

const (
	uFrom = iota
	uCount
	uD
	uQuads
	uG
	uK
	uFind
	uOutFrom
	uScale
	uBoost
	uAdjust
	uListed
	uDims
	uGroups
	uMembers
	uSlack
	uReach
	uParts
	uPlain
)

// program is a linked kernel with the places of its uniforms, -1 for those it has not.
type program struct {
	id uint32
	at [len(uniforms)]int32
}

func (p *program) use()                   { gl.UseProgram(p.id) }
func (p *program) int(which int, v int)   { gl.Uniform1i(p.at[which], int32(v)) }
func (p *program) float(i int, v float32) { gl.Uniform1f(p.at[i], v) }

// variant names a kernel with what is defined for it.
type variant struct {
	name string
	// Neighbours: CAP, and the quads of a point where more than the device's chunk are all alike. Far: C. Project: CAP,
	// DIMS.
	a, b int
}

// programs are compiled when first needed and kept.
type programs struct {
	device device
	made   map[variant]*program
}

func (s *programs) get(v variant) (*program, error) {
	if p := s.made[v]; p != nil {
		return p, nil
	}
	p, err := compile(v, s.device)
	if err != nil {
		return nil, err
	}
	if s.made == nil {
		s.made = map[variant]*program{}
	}
	s.made[v] = p
	return p, nil
}

func (s *programs) free() {
	for _, p := range s.made {
		gl.DeleteProgram(p.id)
	}
	s.made = nil
}

// source is what is compiled of the text of a kernel.
func source(v variant, d device, text string) string {
	var counts map[string]int
	var b strings.Builder
	b.WriteString("#version 430 core\n")
	def := func(name string, value any) { fmt.Fprintf(&b, "#define %s %v\n", name, value) }
	switch v.name {
	case "neighbours":
		counts = searchHeader(def, v, d)
	case "far":
		def("C", v.a)
	case "project":
		def("CAP", v.a)
		def("DIMS", v.b)
		def("THREADS", d.placeThreads(v.a))
		if d.software { // the driver's own functions are too coarse in software
			def("OWN_EXP", 1)
		}
	}
	return b.String() + written(text, counts)
}

func compile(v variant, d device) (*program, error) {
	text, err := shaders.Read(shaders.Files, v.name+".comp")
	if err != nil {
		return nil, err
	}
	fail := func(log string) error {
		return problem.New("shaders/"+v.name+".comp", updateDriver, "the graphics driver refuses the kernel: %s",
			strings.TrimSpace(log))
	}
	shader := gl.CreateShader(gl.COMPUTE_SHADER)
	defer gl.DeleteShader(shader)
	lines, free := gl.Strs(source(v, d, text) + "\x00")
	gl.ShaderSource(shader, 1, lines, nil)
	free()
	gl.CompileShader(shader)
	var ok, length int32
	if gl.GetShaderiv(shader, gl.COMPILE_STATUS, &ok); ok == gl.FALSE {
		gl.GetShaderiv(shader, gl.INFO_LOG_LENGTH, &length)
		log := make([]byte, length+1)
		gl.GetShaderInfoLog(shader, length, nil, &log[0])
		return nil, fail(strings.TrimRight(string(log), "\x00"))
	}
	p := &program{id: gl.CreateProgram()}
	gl.AttachShader(p.id, shader)
	gl.LinkProgram(p.id)
	if gl.GetProgramiv(p.id, gl.LINK_STATUS, &ok); ok == gl.FALSE {
		gl.GetProgramiv(p.id, gl.INFO_LOG_LENGTH, &length)
		log := make([]byte, length+1)
		gl.GetProgramInfoLog(p.id, length, nil, &log[0])
		gl.DeleteProgram(p.id)
		return nil, fail(strings.TrimRight(string(log), "\x00"))
	}
	for i, name := range uniforms {
		p.at[i] = gl.GetUniformLocation(p.id, gl.Str(name+"\x00"))
	}
	return p, check("compiling " + v.name)
}

// dispatch runs groups of the program in use. One dimension of groups has room for 65535 at least.
func dispatch(x, y int) { gl.DispatchCompute(uint32(x), uint32(y), 1) }

// groups is how many groups of size cover n.
func groups(n, size int) int { return (n + size - 1) / size }
