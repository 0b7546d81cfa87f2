package main

import (
	"go/ast"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The tests that docs/found.md names are there.
func TestTestsThatHoldFindingsAreThere(t *testing.T) {
	list, err := os.ReadFile(filepath.Join("..", "..", "docs", "found.md"))
	if err != nil {
		t.Fatal(err)
	}
	there := map[string]bool{}
	for _, s := range sources(t) {
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok {
				there[f.Name.Name] = true
			}
		}
	}
	named := regexp.MustCompile("`(Test[A-Z][A-Za-z0-9]*)`").FindAllStringSubmatch(string(list), -1)
	if len(named) < 40 {
		t.Fatalf("%d tests are named", len(named))
	}
	for _, n := range named {
		if !there[n[1]] {
			t.Errorf("there is no %s", n[1])
		}
	}
}

// Commands by which users once found blossom wrong do what is right: .ci/found says what.
func TestCommandsThatUsersFoundWrongAreRight(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("there is no bash: .ci/found is a script of it")
	}
	out, err := exec.Command(bash, filepath.Join("..", "..", ".ci", "found"), binary(t)).CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
