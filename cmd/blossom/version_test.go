package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"runtime/debug"
	"strings"
	"testing"
)

func TestVersionOf(t *testing.T) {
	built := func(module string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: module}, Settings: settings}
	}
	revision := debug.BuildSetting{Key: "vcs.revision", Value: "1f7f8d2a9c3e4b5a69788796a5b4c3d2e1f00112"}
	clean := debug.BuildSetting{Key: "vcs.modified", Value: "false"}
	dirty := debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{nil, release},
		{built("(devel)"), release},
		{built("v0.0.0-20261121201234-1f7f8d2a9c3e", revision, clean), release + " (1f7f8d2a9c3e)"},
		{built("v0.0.0-20261121201234-1f7f8d2a9c3e+dirty", revision, dirty), release + " (1f7f8d2a9c3e, changed)"},
		{built("(devel)", debug.BuildSetting{Key: "vcs.revision", Value: "1f7f"}), release + " (1f7f)"},
		{built("v"+release, revision, clean), release},
		{built("v"+release+"+dirty", revision, dirty), release + " (1f7f8d2a9c3e, changed)"},
	} {
		if got := versionOf(c.info, c.info != nil); got != c.want {
			t.Errorf("%+v: %q, want %q", c.info, got, c.want)
		}
	}
}

// The program that `go install` makes says its version everywhere alike, and it is the newest of CHANGELOG.md.
func TestVersion(t *testing.T) {
	said := strings.TrimSpace(ok(t, t.TempDir(), "--version").stdout)
	installed, named := strings.CutPrefix(said, "blossom version ")
	if !named || installed != release && !strings.HasPrefix(installed, release+" (") {
		t.Errorf("blossom --version: %q, want %s and perhaps a revision", said, release)
	}
	var health struct{ Program string }
	if err := json.Unmarshal([]byte(ok(t, t.TempDir(), "doctor", "--json").stdout), &health); err != nil {
		t.Fatal(err)
	}
	if !strings.HasPrefix(health.Program, "blossom "+installed+", go") {
		t.Errorf("doctor says %q, --version %q", health.Program, said)
	}
	log, err := os.ReadFile(filepath.Join("..", "..", "CHANGELOG.md"))
	if err != nil {
		t.Fatal(err)
	}
	first := regexp.MustCompile(`(?m)^## ([0-9]\S*)`).FindStringSubmatch(string(log))
	if first == nil || first[1] != release {
		t.Errorf("the newest release of CHANGELOG.md is %q, the program is %s", first, release)
	}
}
