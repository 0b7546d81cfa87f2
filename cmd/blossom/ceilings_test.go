package main

import (
	"flag"
	"fmt"
	"go/ast"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Ceilings of size, so that a reader of one room needs no other. What stood above a ceiling when it was made is in
// testdata/ceilings.txt with its number, which only falls: a number that grows fails, and so does one that is higher
// than needed.

var lower = flag.Bool("lower", false, "lower the numbers of testdata/ceilings.txt to what they are")

// ceilings are the most that there may be, by what is counted.
var ceilings = map[string]int{
	"fields":   25,  // fields of a struct, with those that embedded types promote
	"methods":  60,  // methods of a type, promoted ones and functions of its package that take it first counted in
	"function": 60,  // lines
	"file":     600, // lines
	"folders":  13,  // in a folder
}

// exempt says whether a count is no matter of taste: options and arguments have a field for each, as a picture that a
// job wants has for each flag of its command, a row of what is
// measured one for each column of its table, the state of a card in gpu as many as its kernels need, and controls are
// methods of the one type that draws them.
func exempt(what, name string) bool {
	dir, typ, _ := strings.Cut(name, ".")
	switch what {
	case "fields":
		return within(dir, "gpu/bench") || within(dir, "gpu/cuda") || within(dir, "gpu/glcompute") ||
			within(dir, "gpu/cpu") || name == "model/job.Picture" || name == "model/job.Film" ||
			slices.ContainsFunc([]string{"Options", "Opts", "Args", "Settings", "Params", "Flags"},
				func(end string) bool { return strings.HasSuffix(strings.ToLower(typ), strings.ToLower(end)) })
	case "methods":
		return name == "ui/widget.UI"
	}
	return false
}

// declared is what the sources say of a type.
type declared struct {
	file            *goFile
	fields, methods map[string]bool
	embedded        []ast.Expr
}

// types are all types with their fields and methods, by their names: "ui.App". A function of the same package whose
// first parameter is the type counts as a method.
func types(all []*goFile) map[string]*declared {
	out := map[string]*declared{}
	for _, s := range all {
		for _, d := range s.file.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || s.test() {
				continue
			}
			for _, spec := range g.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok {
					out[s.dir+"."+t.Name.Name] = declare(s, t.Type)
				}
			}
		}
	}
	for _, s := range all {
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test() {
				continue
			}
			first, mark := f.Recv, ""
			if first == nil {
				first, mark = f.Type.Params, "func " // no clash with a method of that name
			}
			if len(first.List) > 0 {
				if t := out[s.typeName(bare(first.List[0].Type))]; t != nil && t.file.dir == s.dir {
					t.methods[mark+f.Name.Name] = true
				}
			}
		}
	}
	return out
}

// bare is the type that an expression names, without pointers and parameters.
func bare(e ast.Expr) ast.Expr {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return e
		}
	}
}

func declare(s *goFile, e ast.Expr) *declared {
	d := &declared{file: s, fields: map[string]bool{}, methods: map[string]bool{}}
	var members *ast.FieldList
	names := d.fields
	switch x := e.(type) {
	case *ast.StructType:
		members = x.Fields
	case *ast.InterfaceType:
		members, names = x.Methods, d.methods
	default:
		return d
	}
	for _, m := range members.List {
		for _, n := range m.Names {
			names[n.Name] = true
		}
		if m.Names == nil {
			d.embedded = append(d.embedded, bare(m.Type))
		}
	}
	return d
}

// whole adds what embedded types promote, as far as it is seen from the package dir.
func (d *declared) whole(known map[string]*declared, dir string, fields, methods map[string]bool) {
	add := func(to, from map[string]bool) {
		for name := range from {
			if d.file.dir == dir || ast.IsExported(name) {
				to[name] = true
			}
		}
	}
	add(fields, d.fields)
	add(methods, d.methods)
	for _, e := range d.embedded {
		name := d.file.typeName(e)
		fields[path.Ext(name)] = true
		if t := known[name]; t != nil && t != d {
			t.whole(known, dir, fields, methods)
		}
	}
}

// sizes counts everything that has a ceiling: "methods ui.App" is how many.
func sizes(all []*goFile) map[string]int {
	out := map[string]int{}
	count := func(what, name string, n int) {
		if !exempt(what, name) {
			out[what+" "+name] = max(out[what+" "+name], n)
		}
	}
	known := types(all)
	for name, d := range known {
		fields, methods := map[string]bool{}, map[string]bool{}
		d.whole(known, d.file.dir, fields, methods)
		count("fields", name, len(fields))
		count("methods", name, len(methods))
	}
	for _, s := range all {
		count("file", s.dir+"/"+s.name, s.line(s.file.FileEnd))
		for _, d := range s.file.Decls {
			f, ok := d.(*ast.FuncDecl)
			if !ok || s.test() {
				continue
			}
			name := f.Name.Name
			if f.Recv != nil {
				if id, ok := bare(f.Recv.List[0].Type).(*ast.Ident); ok {
					name = id.Name + "." + name
				}
			}
			count("function", s.dir+"."+name, s.line(f.End())-s.line(f.Pos())+1)
		}
	}
	for dir, below := range folders(all) {
		count("folders", dir, len(below))
	}
	return out
}

// folders are those with sources below each folder.
func folders(all []*goFile) map[string]map[string]bool {
	out := map[string]map[string]bool{}
	for _, s := range all {
		for dir := s.dir; dir != "."; dir = path.Dir(dir) {
			up := path.Dir(dir)
			if out[up] == nil {
				out[up] = map[string]bool{}
			}
			out[up][dir] = true
		}
	}
	return out
}

// above returns a sentence for each size that is higher than it may be, and for each exception that is too.
func above(all []*goFile, excepted map[string]int) (out []string) {
	now := sizes(all)
	for key, n := range now {
		what, name, _ := strings.Cut(key, " ")
		most, known := excepted[key]
		switch {
		case known && n > most:
			out = append(out, fmt.Sprintf("%s: %d %s, %d before: what was above the ceiling only falls", name, n, what,
				most))
		case !known && n > ceilings[what]:
			out = append(out, fmt.Sprintf("%s: %d %s, at most %d", name, n, what, ceilings[what]))
		}
	}
	for key, most := range excepted {
		if what, _, _ := strings.Cut(key, " "); now[key] < most || most <= ceilings[what] {
			out = append(out, fmt.Sprintf("testdata/ceilings.txt: %s is %d by now: lower it by "+
				"go test ./cmd/blossom -run TestCeilings -args -lower", key, now[key]))
		}
	}
	slices.Sort(out)
	return out
}

const exceptions = "testdata/ceilings.txt"

// readExceptions reads lines of what is counted, its name and the number.
func readExceptions(t *testing.T) map[string]int {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(exceptions))
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]int{}
	for line := range strings.Lines(string(text)) {
		at := strings.LastIndex(line, " ")
		if at < 0 {
			t.Fatalf("%s: %q has no number", exceptions, line)
		}
		n, err := strconv.Atoi(strings.TrimSpace(line[at:]))
		if err != nil {
			t.Fatalf("%s: %v", exceptions, err)
		}
		out[line[:at]] = n
	}
	return out
}

func TestCeilings(t *testing.T) {
	all, excepted := sources(t), readExceptions(t)
	if *lower {
		now, text := sizes(all), ""
		for _, key := range slices.Sorted(maps.Keys(excepted)) {
			if what, _, _ := strings.Cut(key, " "); min(now[key], excepted[key]) > ceilings[what] {
				text += fmt.Sprintf("%s %d\n", key, min(now[key], excepted[key]))
			}
		}
		if err := os.WriteFile(filepath.FromSlash(exceptions), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		excepted = readExceptions(t)
	}
	for _, breach := range above(all, excepted) {
		t.Error(breach)
	}
}

// The ceilings can fail: each way to be too large is found, and so is an exception that is not needed any more.
func TestCeilingsCatch(t *testing.T) {
	many := func(n int, line string) (out string) {
		for i := range n {
			out += strings.ReplaceAll(line, "#", strconv.Itoa(i))
		}
		return out
	}
	part := many(20, "func (p *Part) P#() {}\nfunc (p *Part) hidden#() {}\n")
	cases := []struct{ name, ui, desk, want string }{
		{"small", "type A struct{ x int }\n" + many(60, "func (a *A) M#() {}\n"), "", ""},
		{"methods", "type A struct{}\n" + many(61, "func (a *A) M#() {}\n"), "", "ui.A: 61 methods, at most 60"},
		{"functions", "type A struct{}\n" + many(40, "func (a *A) M#() {}\n") + many(21, "func f#(a *A) {}\n"), "",
			"ui.A: 61 methods"},
		{"promoted", "import \"blossom/ui/desk\"\ntype A struct{ *desk.Part }\n" + many(41, "func (a A) M#() {}\n"),
			"type Part struct{}\n" + part, "ui.A: 61 methods"},
		{"of its own package",
			"type A struct{ Part }\ntype Part struct{}\n" + part + many(21, "func (a A) M#() {}\n"), "",
			"ui.A: 61 methods"},
		{"fields", "type A struct{ B; " + many(15, "x# int; ") + "}\ntype B struct{ " + many(10, "y# int; ") + "}", "",
			"ui.A: 26 fields, at most 25"},
		{"options", "type AOptions struct{ " + many(30, "x# int; ") + "}", "", ""},
		{"a function", "func f() {\n" + many(59, "_ = #\n") + "}", "", "ui.f: 61 function, at most 60"},
		{"an interface", "type A interface{\n" + many(61, "M#()\n") + "}", "", "ui.A: 61 methods"},
	}
	for _, c := range cases {
		var all []*goFile
		for dir, text := range map[string]string{"ui": c.ui, "ui/desk": c.desk} {
			all = append(all, planted(t, dir, "x.go", "package "+path.Base(dir)+"\n"+text))
		}
		got := above(all, nil)
		if c.want == "" && len(got) > 0 || c.want != "" && (len(got) != 1 || !strings.Contains(got[0], c.want)) {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	one := []*goFile{planted(t, "ui", "x.go", "package ui\ntype A struct{}\n"+many(70, "func (a *A) M#() {}\n"))}
	for most, wrong := range map[int]bool{69: true, 70: false, 71: true} {
		if got := above(one, map[string]int{"methods ui.A": most}); (len(got) > 0) != wrong {
			t.Errorf("70 methods, excepted %d: %v", most, got)
		}
	}
}
