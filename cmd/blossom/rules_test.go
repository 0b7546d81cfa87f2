package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Rules that the sources keep and imports cannot show: families whose members are a file each, and contracts that are
// asserted when compiling. Those about packages that do not exist yet bite from the day they appear.

// goFile is one source; dir is its folder below the module's, "model/landmarks/train".
type goFile struct {
	dir, name string
	file      *ast.File
	at        func(ast.Node) string
	line      func(token.Pos) int
}

func (s *goFile) test() bool { return strings.HasSuffix(s.name, "_test.go") }

func parse1(fset *token.FileSet, dir, name string, text any) (*goFile, error) {
	place := filepath.Join("..", "..", filepath.FromSlash(dir), name)
	f, err := parser.ParseFile(fset, place, text, parser.ParseComments)
	if err != nil {
		return nil, err
	}
	return &goFile{dir, name, f, func(n ast.Node) string {
		return fmt.Sprintf("%s/%s:%d", dir, name, fset.Position(n.Pos()).Line)
	}, func(p token.Pos) int { return fset.Position(p).Line }}, nil
}

// planted is a source that is not there, for tests of the rules.
func planted(t *testing.T, dir, name, text string) *goFile {
	t.Helper()
	s, err := parse1(token.NewFileSet(), dir, name, text)
	if err != nil {
		t.Fatalf("%s/%s: %v", dir, name, err)
	}
	return s
}

// sources are all files of the layers, tests too.
func sources(t *testing.T) (out []*goFile) {
	t.Helper()
	fset := token.NewFileSet()
	for top := range mayImport {
		if top == measures {
			continue // it lies in gpu
		}
		root := filepath.Join("..", "..", top)
		err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || filepath.Ext(file) != ".go" {
				return err
			}
			dir, _ := filepath.Rel(filepath.Join("..", ".."), filepath.Dir(file))
			s, err := parse1(fset, filepath.ToSlash(dir), filepath.Base(file), nil)
			out = append(out, s)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return out
}

// imported is the module's folder that a name stands for in a file: "train" is "model/landmarks/train"; "" if it is
// not ours.
func (s *goFile) imported(name string) string {
	for _, i := range s.file.Imports {
		p, _ := strconv.Unquote(i.Path.Value)
		rest, ours := strings.CutPrefix(p, module+"/")
		if ours && (i.Name == nil && path.Base(p) == name || i.Name != nil && i.Name.Name == name) {
			return rest
		}
	}
	return ""
}

// typeName is the type that an expression names, with its folder: "model/train.Searcher"; "" if it is not ours.
func (s *goFile) typeName(e ast.Expr) string {
	switch x := e.(type) {
	case *ast.Ident:
		return s.dir + "." + x.Name
	case *ast.SelectorExpr:
		if pkg, ok := x.X.(*ast.Ident); ok {
			if dir := s.imported(pkg.Name); dir != "" {
				return dir + "." + x.Sel.Name
			}
		}
	}
	return ""
}

// calls reports whether the file calls a function of a package of ours, or of its own package.
func (s *goFile) calls(dir, name string) (found bool) {
	ast.Inspect(s.file, func(n ast.Node) bool {
		if c, ok := n.(*ast.CallExpr); ok {
			f := c.Fun
			if i, generic := f.(*ast.IndexExpr); generic {
				f = i.X
			}
			found = found || s.typeName(f) == dir+"."+name
		}
		return !found
	})
	return found
}

// families are the packages whose members are a file each; each registers itself by a call of Register.
var families = []struct{ dir, register string }{
	{"model/data/format", "model/data/format"}, {"model/data/demo", "model/data/demo"},
	{"model/space/transform", "model/space/transform"},
	{"model/landmarks/train", "model/landmarks/train"}, {"model/landmarks/shape", "model/landmarks/shape"},
	{"model/landmarks/graph", "model/landmarks/graph"}, {"model/landmarks/exchange", "model/landmarks/exchange"},
	{"model/maps/derived", "model/maps/derived"}, {"model/maps/layout", "model/maps/layout"},
	{"model/work/embedding", "model/work/embedding"}, {"model/document/parts", "model/document/state"},
	{"ui/panel", "ui/panel"}, {"ui/panel", "ui/desk"}, {"ui/view", "ui/view"}, {"ui/dock", "ui/dock"},
	{"ui/dialog", "ui/dialog"}, {"gpu/bench", "gpu/bench"}, {"ui/desk/tour", "ui/desk/tour"},
}

// entangled finds files of members that use what another member keeps to itself: what they share belongs in a file
// that registers nothing, so that a member can be added and taken out as one file.
func entangled(all []*goFile) (out []string) {
	for _, f := range families {
		var members []*goFile
		owner := map[string]*goFile{}
		for _, s := range all {
			if s.dir != f.dir || s.test() || !s.calls(f.register, "Register") {
				continue
			}
			members = append(members, s)
			for name := range s.file.Scope.Objects {
				if !ast.IsExported(name) {
					owner[name] = s
				}
			}
		}
		for _, s := range members {
			used := map[string]bool{}
			for _, id := range s.file.Unresolved {
				if o := owner[id.Name]; o != nil && o != s && !used[id.Name] {
					used[id.Name] = true
					out = append(out, fmt.Sprintf("%s uses %s of %s: members of a family know nothing of each other; "+
						"what they share belongs in a file of its own", s.at(id), id.Name, o.name))
				}
			}
		}
	}
	return out
}

// interfaces are the interface types that the sources declare, outside of tests.
func interfaces(all []*goFile) map[string]bool {
	out := map[string]bool{}
	for _, s := range all {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if t, ok := n.(*ast.TypeSpec); ok && !s.test() {
				if _, is := t.Type.(*ast.InterfaceType); is {
					out[s.dir+"."+t.Name.Name] = true
				}
			}
			return true
		})
	}
	return out
}

// forTests are packages that only tests use; they may ask what they have been given.
var forTests = []string{"gpu/enginetest", "ui/uitest", "render/rendertest"}

// byChance finds optional interfaces that are found out at run time: a value is asked whether it happens to be one of
// the interfaces that we declare. What something can do is data of its contract (engine.Caps).
func byChance(all []*goFile) (out []string) {
	declared := interfaces(all)
	for _, s := range all {
		if s.test() || slices.Contains(forTests, s.dir) {
			continue
		}
		ask := func(e ast.Expr) {
			if name := s.typeName(e); declared[name] {
				out = append(out, fmt.Sprintf("%s asks whether a value is a %s: let its contract say so, as data",
					s.at(e), name))
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch x := n.(type) {
			case *ast.TypeAssertExpr:
				if x.Type != nil {
					ask(x.Type)
				}
			case *ast.TypeSwitchStmt:
				for _, c := range x.Body.List {
					for _, e := range c.(*ast.CaseClause).List {
						ask(e)
					}
				}
			}
			return true
		})
	}
	return out
}

const contract = "model/work/engine"

// offers are the fields of engine.Caps that hold an interface, with its name.
func offers(all []*goFile) map[string]string {
	declared, out := interfaces(all), map[string]string{}
	for _, s := range all {
		if s.dir != contract || s.test() {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			t, ok := n.(*ast.TypeSpec)
			if !ok || t.Name.Name != "Caps" {
				return true
			}
			if st, ok := t.Type.(*ast.StructType); ok {
				for _, f := range st.Fields.List {
					for _, name := range f.Names {
						if is := s.typeName(f.Type); declared[is] {
							out[name.Name] = is
						}
					}
				}
			}
			return false
		})
	}
	return out
}

// asserted are the interfaces for which a file says var _ X = (*T)(nil).
func asserted(s *goFile) (out []string) {
	for _, d := range s.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.VAR {
			continue
		}
		for _, spec := range g.Specs {
			v := spec.(*ast.ValueSpec)
			if len(v.Names) != 1 || v.Names[0].Name != "_" || v.Type == nil || len(v.Values) != 1 {
				continue
			}
			if c, ok := v.Values[0].(*ast.CallExpr); ok && len(c.Args) == 1 {
				if arg, ok := c.Args[0].(*ast.Ident); ok && arg.Name == "nil" {
					out = append(out, s.typeName(v.Type))
				}
			}
		}
	}
	return out
}

// unproven finds engines that offer an interface without asserting it when compiling, or that do not run the suite.
func unproven(all []*goFile) (out []string) {
	offered := offers(all)
	type engine struct {
		registers, suite bool
		offers, asserts  []string
	}
	engines := map[string]*engine{}
	for _, s := range all {
		if parent, _ := path.Split(s.dir); parent != "gpu/" || slices.Contains(forTests, s.dir) {
			continue
		}
		e := engines[s.dir]
		if e == nil {
			e = &engine{offers: []string{contract + ".Resident"}}
			engines[s.dir] = e
		}
		if s.test() {
			e.suite = e.suite || s.calls("gpu/enginetest", "Run")
			continue
		}
		e.registers = e.registers || s.calls(contract, "Register")
		e.asserts = append(e.asserts, asserted(s)...)
		ast.Inspect(s.file, func(n ast.Node) bool {
			lit, ok := n.(*ast.CompositeLit)
			if !ok || s.typeName(lit.Type) != contract+".Caps" {
				return true
			}
			for _, field := range lit.Elts {
				kv, ok := field.(*ast.KeyValueExpr)
				if !ok {
					out = append(out, s.at(field)+": name the fields of engine.Caps")
					continue
				}
				if is := offered[kv.Key.(*ast.Ident).Name]; is != "" {
					e.offers = append(e.offers, is)
				}
			}
			return true
		})
	}
	for dir, e := range engines {
		if !e.registers {
			continue
		}
		for _, o := range e.offers {
			if !slices.Contains(e.asserts, o) {
				out = append(out, fmt.Sprintf("%s offers %s and does not assert it: add var _ %s = (*T)(nil)", dir, o,
					path.Base(o)))
			}
		}
		if !e.suite {
			out = append(out, dir+" is an engine and has no test that calls enginetest.Run")
		}
	}
	return out
}

// named finds names of engines outside of gpu and cmd: what a name means is said by its registration.
func named(all []*goFile) (out []string) {
	names := map[string]bool{}
	for _, s := range all {
		if s.test() || !within(s.dir, "gpu") || !s.calls(contract, "Register") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			if key, ok := kv.Key.(*ast.Ident); !ok || key.Name != "Name" {
				return true
			}
			switch v := kv.Value.(type) {
			case *ast.BasicLit:
				names[unquoted(v)] = true
			case *ast.Ident: // a constant
				for _, o := range all {
					if o.dir != s.dir || o.file.Scope.Objects[v.Name] == nil {
						continue
					}
					spec, _ := o.file.Scope.Objects[v.Name].Decl.(*ast.ValueSpec)
					if spec != nil && len(spec.Values) == 1 {
						if lit, ok := spec.Values[0].(*ast.BasicLit); ok {
							names[unquoted(lit)] = true
						}
					}
				}
			}
			return true
		})
	}
	for _, s := range all {
		if s.test() || slices.Contains(forTests, s.dir) || !within(s.dir, "ui") && !within(s.dir, "model") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && names[unquoted(lit)] {
				out = append(out, fmt.Sprintf("%s knows the engine %s by name: its registration says what is special",
					s.at(lit), lit.Value))
			}
			return true
		})
	}
	return out
}

func unquoted(lit *ast.BasicLit) string {
	s, _ := strconv.Unquote(lit.Value)
	return s
}

// rules are all of them, by what they keep.
var rules = map[string]func([]*goFile) []string{
	"Families": entangled, "Contracts": byChance, "Engines": unproven, "Names": named,
	"Comments": fragments, "Files": unlooked, "Products": fused,
}

func TestRules(t *testing.T) {
	all := sources(t)
	if len(offers(all)) == 0 {
		t.Error("engine.Caps offers nothing: do the rules look in the right place?")
	}
	for _, name := range slices.Sorted(maps.Keys(rules)) {
		t.Run(name, func(t *testing.T) {
			for _, breach := range rules[name](all) {
				t.Error(breach)
			}
		})
	}
}

// The rules can fail: each planted breach is found by its rule, and what is sound by none.
func TestRulesCatch(t *testing.T) {
	const (
		engineFile = `package engine
type Resident interface { Free() }
type Caps struct { Keeps bool; Async Async }
type Async interface { Wait() error }
func Register(r Registration) {}`
		imports      = "import (\"blossom/model/work/engine\"; \"blossom/gpu/enginetest\")\n"
		importsState = "package parts\nimport \"blossom/model/document/state\"\n"
		sound        = "package fast\n" + imports + `
func init() { engine.Register(engine.Registration{Name: "fast"}) }
var _ engine.Resident = (*r)(nil)
var _ engine.Async = (*r)(nil)
func (r *r) Caps() engine.Caps { return engine.Caps{Keeps: true, Async: r} }`
		suite = "package fast\n" + imports + `func TestConformance(t *testing.T) { enginetest.Run(t, open) }`
	)
	engine := map[string]string{contract + "/engine.go": engineFile, "gpu/fast/fast.go": sound,
		"gpu/fast/fast_test.go": suite}
	cases := []struct {
		name, rule, file, text, want string
	}{
		{"an engine", "", "model/x/x.go", "package x", ""},
		{"no assertion", "Engines", "gpu/fast/fast.go",
			strings.Replace(sound, "var _ engine.Async = (*r)(nil)", "", 1), "offers model/work/engine.Async"},
		{"asserted of another type", "Engines", "gpu/fast/fast.go",
			strings.Replace(sound, "_ engine.Resident", "_ Resident", 1), "offers model/work/engine.Resident"},
		{"fields without names", "Engines", "gpu/fast/fast.go",
			strings.Replace(sound, "Keeps: true, Async: r", "true, r", 1), "name the fields"},
		{"no suite", "Engines", "gpu/fast/fast_test.go", "package fast", "enginetest.Run"},
		{"asked for a type", "Contracts", "model/job/run/run.go",
			"package run\n" + imports + "func f(x any) bool { _, ok := x.(engine.Async); return ok }", "engine.Async"},
		{"switched by type", "Contracts", "render/x.go",
			"package render\n" + imports + "func f(x any) { switch x.(type) { case engine.Async: } }", "engine.Async"},
		{"an interface of its own", "Contracts", "ui/view/x.go",
			"package view\ntype lent interface{ A() }\nfunc f(x any) { x.(lent).A() }", "ui/view.lent"},
		{"a foreign interface", "", "model/job/run/run.go",
			"package run\nimport \"io\"\nfunc f(x any) bool { _, ok := x.(io.Closer); return ok }", ""},
		{"in a test", "", "model/job/run/run_test.go",
			"package run\n" + imports + "func f(x any) bool { _, ok := x.(engine.Async); return ok }", ""},
		{"the name of an engine", "Names", "ui/panel/engine.go",
			"package panel\nfunc word(n string) bool { return n == \"fast\" }", "\"fast\""},
		{"the name of an engine, a constant", "Names", "gpu/fast/fast.go",
			strings.Replace(sound, `Name: "fast"`, "Name: Name", 1) + "\nconst Name = `model`", "`model`"},
		{"a comment without a subject", "Comments", "model/data/x/x.go",
			"package x\nvar a int // of the last point", "of the last point"},
		{"a file of any kind", "Files", "model/job/run/run.go",
			"package run\nimport \"os\"\nfunc f() { os.Open(\"x\") }", "plain.Open"},
		{"a product that may be fused", "Products", "model/maps/tsne/exp.go",
			"package tsne\nfunc f(a, b, c float64) float64 { return a - (-b * c) }", "may be fused"},
		{"a product that is added up", "Products", "model/maps/tsne/exp.go",
			"package tsne\nfunc f(a, b, c float64) float64 { a += b * c; return a }", "may be fused"},
		{"a product that is rounded", "", "model/maps/tsne/exp.go",
			"package tsne\nfunc f(a, b, c float64) float64 { a += float64(b * c); return a + b*c/a }", ""},
		{"a function of that name", "", "model/data/x/x.go", "package x\n// Of is known.\nfunc Of() {}", ""},
		{"two members", "Families", "model/landmarks/train/b.go",
			"package train\nfunc init() { Register(Algorithm{}) }\nfunc b() { a() }", "uses a of a.go"},
		{"what is exported", "", "model/landmarks/train/b.go",
			"package train\nfunc init() { Register(Algorithm{}) }\nfunc b() { A() }", ""},
		{"no member", "", "model/landmarks/train/b.go", "package train\nfunc b() { a() }", ""},
		{"two parts", "Families", "model/document/parts/b.go", importsState +
			"var B = state.Register(state.Kind[int]{})\nfunc b() { a() }", "uses a of a.go"},
		{"two parts, typed", "Families", "model/document/parts/b.go", importsState +
			"var B = state.Register[int](state.Kind[int]{})\nfunc b() { a() }", "uses a of a.go"},
	}
	for _, c := range cases {
		files := maps.Clone(engine)
		files["model/landmarks/train/a.go"] = "package train\n" +
			"func init() { Register(Algorithm{}) }\nfunc a() {}\nfunc A() {}"
		files["model/document/parts/a.go"] = importsState +
			"var A = state.Register(state.Kind[int]{})\nfunc a() {}"
		files["model/job/run/word.go"] = "package run\nconst word = `model`"
		files[c.file] = c.text
		var all []*goFile
		for file, text := range files {
			all = append(all, planted(t, path.Dir(file), path.Base(file), text))
		}
		for name, rule := range rules {
			got := rule(all)
			switch {
			case name != c.rule && len(got) > 0:
				t.Errorf("%s: rule %s finds %q", c.name, name, got)
			case name == c.rule && (len(got) == 0 || !strings.Contains(got[0], c.want)):
				t.Errorf("%s: rule %s finds %q, want %q", c.name, name, got, c.want)
			}
		}
	}
}
