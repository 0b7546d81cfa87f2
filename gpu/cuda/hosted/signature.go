//go:build linux

package hosted

import (
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// Param is a parameter of a kernel, or a field of a structure that one is given.
type Param struct {
	Name string
	Size int    // bytes; 0: of a structure
	Type string // "pointer", "int", "unsigned", "float", or the structure's name
}

// Signatures returns the parameters of the kernels of a source file (see Open), and the fields of the
// structures that are declared in it, as the source has them.
func Signatures(source string) (kernels, structs map[string][]Param, err error) {
	compiler, err := exec.LookPath(cmpOr(os.Getenv("CXX"), "c++"))
	if err != nil {
		return nil, nil, fmt.Errorf("no C++ compiler here to read the kernels with: %w", err)
	}
	folder, err := here()
	if err != nil {
		return nil, nil, err
	}
	text, err := preprocess(compiler, folder, source)
	if err != nil {
		return nil, nil, err
	}
	kernels, structs = map[string][]Param{}, map[string][]Param{}
	for _, at := range kernelName.FindAllSubmatchIndex(text, -1) {
		name, rest := string(text[at[2]:at[3]]), string(text[at[1]:])
		list, _, closed := strings.Cut(rest, ")")
		if !closed {
			return nil, nil, fmt.Errorf("hosted: the parameters of %s do not end", name)
		}
		if kernels[name], err = declared(strings.Split(list, ",")); err != nil {
			return nil, nil, fmt.Errorf("%s: kernel %s: %w", source, name, err)
		}
	}
	for _, found := range structure.FindAllStringSubmatch(string(text), -1) {
		var fields []string
		for _, line := range strings.Split(found[2], ";") {
			// "const T *a, *b": the type is said once
			base := ""
			for i, one := range strings.Split(strings.TrimSpace(line), ",") {
				if m := declarer.FindStringSubmatch(one); i == 0 && m != nil {
					base = m[1]
				} else if i > 0 {
					one = base + " " + one
				}
				fields = append(fields, one)
			}
		}
		if list, err := declared(fields); err == nil { // others are of no kernel
			structs[found[1]] = list
		}
	}
	return kernels, structs, nil
}

var (
	structure = regexp.MustCompile(`struct (\w+)\s*\{([^{}()]*)\}\s*;`)
	declarer  = regexp.MustCompile(`^(.*?)\s*(\**)\s*(\w+)$`)
)

// declared reads declarations of one name each.
func declared(list []string) (params []Param, err error) {
	for _, text := range list {
		text = strings.Join(strings.Fields(strings.ReplaceAll(text, "__restrict__", "")), " ")
		if text == "" {
			continue
		}
		m := declarer.FindStringSubmatch(text)
		if m == nil {
			return nil, fmt.Errorf("%q is not understood", text)
		}
		p := Param{Name: m[3]}
		words := strings.Fields(m[1])
		kind := ""
		for _, w := range words {
			if w != "const" && w != "volatile" {
				kind = strings.TrimSpace(kind + " " + w)
			}
		}
		switch {
		case m[2] != "":
			p.Size, p.Type = 8, "pointer"
		case kind == "int":
			p.Size, p.Type = 4, "int"
		case kind == "long long":
			p.Size, p.Type = 8, "int"
		case kind == "unsigned" || kind == "unsigned int":
			p.Size, p.Type = 4, "unsigned"
		case kind == "unsigned long long":
			p.Size, p.Type = 8, "unsigned"
		case kind == "float":
			p.Size, p.Type = 4, "float"
		case kind == "double":
			p.Size, p.Type = 8, "float"
		default:
			p.Type = kind
		}
		params = append(params, p)
	}
	return params, nil
}
