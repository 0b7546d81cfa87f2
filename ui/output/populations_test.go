package output_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// The window writes of populations what blossom label writes of its document, to the byte.
func TestTheWindowWritesWhatTheCommandWrites(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:1000")
	var tree population.Tree
	for i, p := range []population.Population{{Name: "T, \"cells\" 😀"}, {Name: "CD4", Parent: 1}} {
		c := a.Desk().Doc.Data.Columns[a.Desk().Table().Cols[i+1]].Name
		p.Rule = &population.Limits{Of: []population.Limit{{Column: c, Low: 1000, High: 1e6}}}
		var err error
		if tree, _, err = tree.Add(p); err != nil {
			t.Fatal(err)
		}
	}
	uitest.Do(func() {
		a.Desk().Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	})
	a.Rest(d)
	d.Until("points of populations are known", 300, func() bool {
		now, fresh := a.Desk().Populations().Now()
		return now != nil && fresh
	})
	dir := t.TempDir()
	for what, file := range map[desk.NamesFile]string{desk.NamedLabels: "labels.fcs", desk.NamedEach: "each.csv",
		desk.NamedCounts: "counts.csv", desk.NamedGates: "gates.xml"} {
		window, command := filepath.Join(dir, file), filepath.Join(dir, "command-"+file)
		uitest.Do(func() { a.out.Populations(window, what) })
		d.Wait(file+" is written", 20*time.Second, func() bool { return there(window) && a.Jobs.Idle() })
		want := &job.Named{}
		switch what {
		case desk.NamedCounts:
			want.Counts = command
		case desk.NamedGates:
			want.Gates = command
		default:
			want.Output, want.All = command, what == desk.NamedEach
		}
		j, err := job.OfDocument(t.Context(), a.Desk().Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Engine.Kind = "cpu"
		j.Want(want)
		if _, err := job.Execute(t.Context(), j, job.Options{}); err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(window)
		if err != nil || len(got) < 100 {
			t.Fatal(err, len(got))
		}
		if want, err := os.ReadFile(command); err != nil || string(got) != string(want) {
			t.Errorf("%s: the window writes %d bytes and the command %d others (%v)", file, len(got), len(want), err)
		}
	}
}
