//go:build !nowindow

package main

import (
	"os"

	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/job/run"
)

// awaitedFlag names the session that a script waits for while the window is open.
func awaitedFlag(f *pflag.FlagSet, to *string) {
	f.StringVar(to, "to", "", "for scripts: keep the `SESSION` of FILE in this new file, soon after each change and "+
		"when the window closes, without asking, and remember nothing else of it")
}

// checkAwaited says what is wrong with the session that a script waits for. One that is there already is work of
// somebody, unless it is what is opened.
func checkAwaited(to string, paths []string) error {
	if to == "" {
		return nil
	}
	if len(paths) == 0 {
		return run.Usage{Err: problem.New(to, "name the files that it is to be of", "is a session of no data")}
	}
	if len(paths) == 1 && whereIs(to) == whereIs(paths[0]) {
		return nil
	}
	if _, err := os.Lstat(to); err == nil {
		return problem.New(to, "open it to go on with it, or give --to another name", "is there already")
	}
	return checkOutput(to, nil, paths...)
}
