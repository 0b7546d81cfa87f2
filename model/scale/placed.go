package scale

import (
	"encoding/json"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/data/format"
)

// PlacedFile is the name of the file that says who places the parts of a folder: the plan says what they are alone.
const PlacedFile = "runner.json"

// Placed is the runner that has placed the parts of a folder last, by its word, and what it was told.
type Placed struct {
	Runner string   `json:"runner"`
	Args   []string `json:"args,omitempty"`
	// Jobs are those of a scheduler that may wait or run, as it calls them.
	Jobs []string `json:"jobs,omitempty"`
}

// Note notes who places the parts from now on. Jobs of the same runner, told the same, stay noted. The error is a
// Problem.
func (p *Plan) Note(by Placed) error {
	if len(by.Jobs) == 0 {
		by.Jobs = jobsOf(p.folder, by)
	}
	return note(p.folder, by)
}

// jobsOf are jobs that were noted of a runner that was told the same.
func jobsOf(folder string, by Placed) []string {
	if was := placedIn(folder); was.Runner == by.Runner && slices.Equal(was.Args, by.Args) {
		return was.Jobs
	}
	return nil
}

// note notes exactly that.
func note(folder string, by Placed) error {
	return format.AtomicWrite(filepath.Join(folder, PlacedFile), func(w io.Writer) error {
		text, err := marshal(by)
		if err == nil {
			_, err = w.Write(text)
		}
		return err
	})
}

// placedIn is who has placed the parts of a folder: this machine where nobody has noted it.
func placedIn(folder string) (by Placed) {
	text, err := plain.ReadFile(filepath.Join(folder, PlacedFile), mostReceipt)
	if err != nil || json.Unmarshal(text, &by) != nil {
		return Placed{Runner: Local}
	}
	if r, _, err := RunnerOf(by.Runner); err != nil || r.Later {
		return Placed{Runner: Local}
	}
	// Whoever has made the folder has written this: numbers of jobs must be some, and words no other command.
	by.Jobs = slices.DeleteFunc(by.Jobs, func(id string) bool { return !isJob(id) })
	if slices.ContainsFunc(by.Args, func(word string) bool {
		return !strings.HasPrefix(word, "-") || strings.HasPrefix(word, "--wr") // --wrap of sbatch is a command
	}) {
		return Placed{Runner: Local}
	}
	return by
}

// Here says whether parts are made by the process that places them, which ends with it.
func (by Placed) Here() bool { return by.Runner == Local }

// Title says in words where parts are made.
func (by Placed) Title() string {
	r, _, err := RunnerOf(by.Runner)
	if err != nil {
		return by.Runner
	}
	return r.Title
}
