package main

import "runtime/debug"

// release is what CHANGELOG.md calls the program that these sources make; the next one's from the day it is begun.
const release = "0.5.0"

// version is what the program says of itself, however it was built.
var version = versionOf(debug.ReadBuildInfo())

// versionOf adds the revision of the sources to the release, where Go put one into the program: it does when
// building in a checkout, unless told otherwise (-buildvcs=false). "0.2.0 (1f7f8d2a9c3e, changed)" was built from that
// revision and what was not committed.
func versionOf(info *debug.BuildInfo, ok bool) string {
	if !ok || info.Main.Version == "v"+release {
		return release // the tagged revision itself
	}
	revision, changed := "", ""
	for _, s := range info.Settings {
		switch {
		case s.Key == "vcs.revision":
			revision = s.Value[:min(12, len(s.Value))]
		case s.Key == "vcs.modified" && s.Value == "true":
			changed = ", changed"
		}
	}
	if revision == "" {
		return release
	}
	return release + " (" + revision + changed + ")"
}
