package source

import (
	"os"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
)

// isPattern says whether a path stands for all files whose names fit: nothing is called so itself.
func isPattern(path string) bool {
	if !strings.ContainsAny(path, "*?[") || Generated(Resolve(path)) {
		return false
	}
	_, err := os.Lstat(path)
	return err != nil
}

// Named puts the files and folders whose names fit to a pattern in its place, by their names; other paths stay. People
// write patterns, who may keep them from the shell, which limits how long a command is; what a program has noted is a
// name. The error is a Problem of a pattern that nothing fits.
func Named(paths []string) (named []string, err error) {
	for _, path := range paths {
		if !isPattern(path) {
			named = append(named, path)
			continue
		}
		found, err := filepath.Glob(path)
		if err != nil || len(found) == 0 {
			return nil, problem.New(path, "check the pattern and the folder", "no file has such a name")
		}
		named = append(named, found...)
	}
	return named, nil
}
