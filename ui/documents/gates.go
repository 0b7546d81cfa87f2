package documents

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/clusters/gating"
	"blossom/model/clusters/population"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work"
	"blossom/ui/desk"
)

// gateKinds are the endings of files of gates.
var gateKinds = []string{".xml", ".wsp"}

// Gates are those of other programs, which become populations of the open document.
type Gates struct{ part }

// Ask asks for a file with the gates of another program.
func (d *Gates) Ask() {
	d.w.Ask(desk.FileQuestion{Title: "Open gates: Gating-ML, or a workspace of FlowJo",
		Folder: filepath.Dir(d.w.Desk().Doc.Files()[0]), Kind: "Gates", Kinds: gateKinds, Answer: d.Open})
}

// Open makes populations of the gates of another program, in their tree, as one entry of the history.
func (d *Gates) Open(path string) {
	at, name := d.w.Desk(), filepath.Base(path)
	if at == nil {
		d.w.Fail(problem.New(path, "open the data first, then its gates", "has gates and no points"))
		return
	}
	d.docs.Recent.Folder = filepath.Dir(path)
	data, spec, rev := at.Doc.Data, parts.Transform.Of(at.Doc.State()), parts.Transform.Rev(at.Doc.State())
	d.docs.jobs.Start("Reading "+name, func(ctx context.Context, _ *work.Job) (func(), error) {
		s, err := gating.Read(ctx, path, data)
		if err != nil {
			return nil, err
		}
		tree, carried, err := population.Tree{}.OfGates(ctx, s, 0, data, spec)
		err = problem.Of(err, path)
		return func() {
			switch {
			case d.w.Desk() != at:
			case at.Doc.Data != data || parts.Transform.Rev(at.Doc.State()) != rev:
				d.Open(path) // limits are about other values now
			default:
				d.took(name, tree, carried, s)
			}
		}, err
	})
}

// these opens files that are all of gates, and says whether they are.
func (d *Gates) these(paths []string) bool {
	if slices.ContainsFunc(paths, func(path string) bool { return !ofGates(path) }) {
		return false
	}
	for _, path := range paths {
		d.Open(path)
	}
	return true
}

// took puts populations of the gates of s behind those that there are.
func (d *Gates) took(name string, gates population.Tree, carried int, s *gating.Strategy) {
	at := d.w.Desk()
	tree, first, err := parts.Populations.Of(at.Doc.State()).Graft(gates, 0)
	if err != nil {
		d.w.Fail(problem.Of(err, name))
		return
	}
	at.Doc.Do("Open the gates of "+name, func(s *state.State) { parts.Populations.Put(s, tree) })
	at.Stage.Scene.Gating.Chosen = first
	says := problem.Count(gates.Len(), "population") + " of " + name
	if carried > 0 {
		says += fmt.Sprintf("; %d carried along as they are, without an outline to edit", carried)
	}
	for _, x := range s.Notes {
		says += "; " + x
		d.w.Log("%s: %s", name, x)
	}
	if left := s.Left; len(left) > 0 {
		says += fmt.Sprintf("; left out: %s", strings.Join(left[:min(len(left), 3)], ", "))
		for _, x := range left {
			d.w.Log("%s: left out: %s", name, x)
		}
	}
	d.w.Note(desk.Note{Text: says, Actions: []desk.Action{{Label: "Undo", Do: d.w.Command("undo").Run}}})
}

// ofGates says whether a file is one of gates, as the beginning of it tells: tables are no XML.
func ofGates(path string) bool {
	head, err := plain.Head(path, 1024)
	return err == nil && xmlfile.Looks(head)
}
