package main

import (
	"errors"
	"io/fs"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
	"blossom/model/data/demo"
	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/job/run"
	"blossom/model/scale"
)

// commandLike is a word that may be meant as the name of a command rather than of a file.
var commandLike = pattern.Of(`^[A-Za-z-]+$`)

// checkFiles refuses files that cannot be opened before a window shows up, and names the command that
// was meant where one is near. The bare name of a demo data set becomes demo:NAME, as for the other
// commands, where there is no such file; the files that patterns stand for are put in their place.
func checkFiles(root *cobra.Command, paths *[]string) (err error) {
	if *paths, err = source.Named(*paths); err != nil {
		return err
	}
	return checkNamed(root, *paths)
}

// checkNamed is checkFiles of files that are named one by one.
func checkNamed(root *cobra.Command, paths []string) error {
	for i, path := range paths {
		name, _, isDemo, err := demo.Parse(path)
		if err != nil {
			return run.Usage{Err: err}
		}
		if isDemo {
			if _, known := demo.ByName(name); !known {
				return run.Usage{Err: problem.New(path,
					"the demo data sets are "+strings.Join(demo.Names(), ", "), "no such demo data set")}
			}
			continue
		}
		if paths[i] = source.Resolve(path); paths[i] != path {
			continue
		}
		if paths[i] = scale.ShownOf(path); paths[i] != path {
			continue
		}
		if scale.IsFolder(path) { // which is not finished, and the window says how far it is
			if err := scale.Opens(path); err != nil {
				return err
			}
			continue
		}
		st, missing := os.Stat(path)
		if missing == nil && st.IsDir() {
			if _, err := source.Expand(root.Context(), paths[i:i+1]); err != nil {
				return err
			}
			continue
		}
		err = format.CheckInput(path)
		if errors.Is(missing, fs.ErrNotExist) && i == 0 && commandLike().MatchString(path) {
			if meant := nearestCommand(root, path); meant != "" {
				return problem.Wrap(err, path, "did you mean "+strconv.Quote(root.Name()+" "+meant)+"?",
					"is neither a command nor a file")
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// nearestCommand returns the command whose name is at most two letters away from word, or "".
func nearestCommand(root *cobra.Command, word string) string {
	for root.SuggestionsMinimumDistance = 1; root.SuggestionsMinimumDistance <= 2; root.SuggestionsMinimumDistance++ {
		if near := root.SuggestionsFor(word); len(near) > 0 {
			return near[0]
		}
	}
	return ""
}
