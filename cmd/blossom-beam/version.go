package main

import (
	"runtime/debug"
	"strings"
)

// release is that of cmd/blossom, in whose package is a test that says so.
const release = "0.5.0"

// version is the release and, where Go put one into the program, the revision of the sources.
var version = versionOf(debug.ReadBuildInfo())

func versionOf(info *debug.BuildInfo, ok bool) string {
	revision, changed := "", ""
	if ok {
		for _, s := range info.Settings {
			switch {
			case s.Key == "vcs.revision":
				revision = s.Value[:min(12, len(s.Value))]
			case s.Key == "vcs.modified" && s.Value == "true":
				changed = ", changed"
			}
		}
	}
	if revision == "" {
		return release
	}
	return release + " (" + revision + changed + ")"
}

// programFor is the name that parts are made under, for a plan that was made by planned. That is the plan's where both
// are made of the same sources as far as they say: of the same revision, or of the same release where one of them says
// no revision, as a tagged release does. Otherwise it is this program's own, which no plan takes that pins its engine.
func programFor(planned, own string) string {
	const name = "blossom "
	number, revision, _ := strings.Cut(strings.TrimPrefix(planned, name), " ")
	ownNumber, ownRevision, _ := strings.Cut(own, " ")
	if strings.HasPrefix(planned, name) && number == ownNumber &&
		(revision == "" || ownRevision == "" || revision == ownRevision) {
		return planned
	}
	return name + own
}
