package enginetest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/work/engine"
)

// Every interface that an engine may offer has its suite, and no suite is of something else.
func TestEveryInterfaceHasASuite(t *testing.T) {
	fields := map[string]bool{}
	for _, f := range interfaces(engine.Caps{}) {
		fields[f.name] = true
		if len(suites[f.name]) == 0 {
			t.Errorf("engine.Caps.%s has no suite", f.name)
		}
	}
	for name := range suites {
		if !fields[name] {
			t.Errorf("the suite %s is of no field of engine.Caps", name)
		}
	}
}

// Every package that registers an engine has a test that runs the suites.
func TestEveryEngineRunsTheSuites(t *testing.T) {
	found := 0
	sources, err := filepath.Glob("../*/*.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range sources {
		if strings.HasSuffix(path, "_test.go") || !contains(t, path, "engine.Register(") {
			continue
		}
		found++
		tests, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*_test.go"))
		if err != nil {
			t.Fatal(err)
		}
		runs := false
		for _, test := range tests {
			runs = runs || contains(t, test, "enginetest.Run(")
		}
		if !runs {
			t.Errorf("%s registers an engine, and no test beside it calls enginetest.Run", path)
		}
	}
	if found < 4 {
		t.Errorf("%d packages register an engine: is this test looking at the right folder?", found)
	}
}

func contains(t *testing.T, path, text string) bool {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.Contains(string(b), text)
}
