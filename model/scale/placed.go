package scale

import (
	"encoding/json"
	"io"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/data/format"
)

// PlacedFile is the name of the file that says who places the parts of a folder: the plan says what they are alone.
const PlacedFile = "runner.json"

// Placed is the runner that has placed the parts of a folder last, by its word, and what it was told.
type Placed struct {
	Runner string   `json:"runner"`
	Args   []string `json:"args,omitempty"`
}

// Note notes who places the parts from now on. The error is a Problem.
func (p *Plan) Note(by Placed) error {
	return format.AtomicWrite(filepath.Join(p.folder, PlacedFile), func(w io.Writer) error {
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
