package main

import (
	"fmt"
	"runtime/debug"
	"slices"
	"testing"

	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
)

// A page of Beam becomes the line that says what is wrong.
func TestLineOf(t *testing.T) {
	for page, want := range map[string]string{
		"":      "",
		"one\n": "one",
		"job 1 failed:\n\tcaused by:\n  no disk\n\n":                        "no disk",
		"bundle failed:\n" + mark + "plan.json: is another plan\n\tstack\n": "plan.json: is another plan",
	} {
		if got := lineOf(page); got != want {
			t.Errorf("%q is %q, want %q", page, got, want)
		}
	}
}

// Parts have the name of the plan's program where both are made of the same sources, as far as they say.
func TestPartsAreOfThePlansProgram(t *testing.T) {
	for _, c := range []struct {
		planned, own string
		same         bool
	}{
		{"blossom 0.5.0", "0.5.0", true},
		{"blossom 0.5.0 (abc)", "0.5.0 (abc)", true},
		{"blossom 0.5.0", "0.5.0 (abc)", true}, // a tagged release says no revision
		{"blossom 0.5.0 (abc)", "0.5.0", true},
		{"blossom 0.5.0 (abc)", "0.5.0 (def)", false},
		{"blossom 0.5.0 (abc, changed)", "0.5.0 (abc)", false},
		{"blossom 0.5.1", "0.5.0", false},
		{"blossom 0.5.1 (abc)", "0.5.0", false},
		{"other 0.5.0", "0.5.0", false},
		{"", "0.5.0", false},
	} {
		want := "blossom " + c.own
		if c.same {
			want = c.planned
		}
		if got := programFor(c.planned, c.own); got != want {
			t.Errorf("%q by %q: %q, want %q", c.planned, c.own, got, want)
		}
	}
}

// The version says the revision of the sources where Go put one into the program.
func TestVersionOf(t *testing.T) {
	set := func(revision, modified string) *debug.BuildInfo {
		return &debug.BuildInfo{Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: revision},
			{Key: "vcs.modified", Value: modified}}}
	}
	for info, want := range map[*debug.BuildInfo]string{
		nil: release, {}: release, set("1f7f8d2a9c3e4b5a69788796", "false"): release + " (1f7f8d2a9c3e)",
		set("1f7f", "true"): release + " (1f7f, changed)",
	} {
		if got := versionOf(info, info != nil); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A fatal message of Beam ends the program in order: the folder for temporary files goes first.
func TestAFatalMessageTidies(t *testing.T) {
	var did []string
	h := heard{tidy: func() { did = append(did, "tidy") }, exit: func(code int) { did = append(did, fmt.Sprint(code)) }}
	h.Log(t.Context(), log.SevError, 0, "no")
	h.Log(t.Context(), log.SevFatal, 0, "no")
	if !slices.Equal(did, []string{"tidy", "1"}) {
		t.Error(did)
	}
}
