package output_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
	"blossom/model/job/export"
	"blossom/model/space/transform"
	"blossom/render/palette"
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
		known, err := sheet.Keyed("population").Add("points") // a name that the table has, too
		if err != nil {
			t.Fatal(err)
		}
		samples, _ := known.Of(a.Desk().Doc.Data)
		known = known.Set(samples[1], 0, "case, \"odd\"")
		a.Desk().Doc.Do("Name", func(s *state.State) {
			parts.Populations.Put(s, tree)
			parts.Samples.Put(s, known)
		})
	})
	a.Rest(d)
	d.Until("points of populations are known", 300, func() bool {
		now, fresh := a.Desk().Populations().Now()
		return now != nil && fresh
	})
	dir := t.TempDir()
	for _, x := range []struct {
		file  string
		of    []string // the files that are written
		wants desk.Names
		want  job.Named
	}{
		{"labels.fcs", nil, desk.Names{}, job.Named{}},
		{"all.csv", nil, desk.Names{All: true}, job.Named{All: true}},
		{"counts.csv", nil, desk.Names{What: desk.NamedCounts}, job.Named{}},
		{"key.csv", nil, desk.Names{What: desk.NamedKey}, job.Named{}},
		{"gates.xml", nil, desk.Names{What: desk.NamedGates}, job.Named{}},
		{"placed.fcs", nil, desk.Names{Coordinates: true, Columns: true, Values: transform.Compensated},
			job.Named{Coordinates: true, Beside: job.Beside{WithData: true, Values: transform.Compensated}}},
		{"each.fcs", []string{"each_T, _cells_ 😀.fcs", "each_T, _cells_ 😀_CD4.fcs"},
			desk.Names{Each: export.EachPopulation, Coordinates: true},
			job.Named{Coordinates: true, Beside: job.Beside{Each: export.EachPopulation}}},
		{"file.csv", []string{"file_cytometry.csv"}, desk.Names{Each: export.EachFile},
			job.Named{Beside: job.Beside{Each: export.EachFile}}},
	} {
		window, command := filepath.Join(dir, "window"), filepath.Join(dir, "command")
		for _, folder := range []string{window, command} {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		if x.of == nil {
			x.of = []string{x.file}
		}
		uitest.Do(func() { a.out.Populations(filepath.Join(window, x.file), x.wants) })
		last := filepath.Join(window, x.of[len(x.of)-1])
		d.Wait(x.file+" is written", 20*time.Second, func() bool { return there(last) && a.Jobs.Idle() })
		out := &x.want.Output
		switch x.wants.What {
		case desk.NamedCounts:
			out = &x.want.Counts
		case desk.NamedKey:
			out = &x.want.Key
		case desk.NamedGates:
			out = &x.want.Gates
		}
		*out = filepath.Join(command, x.file)
		j, err := job.OfDocument(t.Context(), a.Desk().Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Engine.Kind = "cpu"
		j.Want(&x.want)
		if _, err := job.Execute(t.Context(), j, job.Options{Colour: palette.Ink}); err != nil {
			t.Fatal(err)
		}
		for _, file := range x.of {
			got, err := os.ReadFile(filepath.Join(window, file))
			if err != nil || len(got) < 100 {
				t.Fatal(err, len(got))
			}
			want, err := os.ReadFile(filepath.Join(command, file))
			if err != nil || string(got) != string(want) {
				t.Errorf("%s: the window writes %d bytes and the command %d others (%v)", file, len(got), len(want),
					err)
			}
		}
	}
	// A file that nobody was asked about is not written over, and then none is written.
	second := filepath.Join(dir, "window", "again_T, _cells_ 😀_CD4.csv")
	if err := os.WriteFile(second, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() {
		a.out.Populations(filepath.Join(dir, "window", "again.csv"), desk.Names{Each: export.EachPopulation})
	})
	d.Wait("it is refused", 20*time.Second, func() bool { return a.dialogs.Open("problem") != nil && a.Jobs.Idle() })
	text, err := os.ReadFile(second)
	if err != nil || string(text) != "mine" || there(filepath.Join(dir, "window", "again_T, _cells_ 😀.csv")) {
		t.Errorf("%q, %v", text, err)
	}
}

// Labels that are written otherwise than asked are said to be, as places are.
func TestTheWindowSaysWhatItWroteOtherwise(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:500")
	uitest.Do(func() {
		data := a.Desk().Doc.Data
		var tree population.Tree
		tree, _, err := tree.Add(population.Population{Name: "high", Rule: &population.Limits{
			Of: []population.Limit{{Column: data.Columns[0].Name, Low: 0, High: 1e6}}}})
		if err != nil {
			t.Fatal(err)
		}
		a.Desk().Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	})
	a.Rest(d)
	d.Until("points of populations are known", 300, func() bool {
		now, fresh := a.Desk().Populations().Now()
		return now != nil && fresh
	})
	folder := filepath.Join(t.TempDir(), "out") + string(os.PathSeparator)
	uitest.Do(func() { a.out.Populations(folder, desk.Names{Each: export.EachFile}) })
	d.Wait("it is written", 20*time.Second, func() bool { return there(folder) && a.Jobs.Idle() })
	d.Frames(2)
	if said := strings.Join(a.Said, "; "); !strings.Contains(said, "written as cytometry_blossom.csv") ||
		!strings.Contains(a.Said[len(a.Said)-1], " — ") { // the note says it, too
		t.Errorf("said is %q", said)
	}
}

// A population that cannot be evaluated is not written as one without points: the window refuses as the command does,
// and writes the gates.
func TestTheWindowRefusesPopulationsThatCannotBeEvaluated(t *testing.T) {
	a, d := enter(t, 900, 700, "demo:cytometry:500")
	uitest.Do(func() {
		var tree population.Tree
		for _, column := range []string{a.Desk().Doc.Data.Columns[0].Name, "no such column"} {
			var err error
			if tree, _, err = tree.Add(population.Population{Name: "of " + column,
				Rule: &population.Limits{Of: []population.Limit{{Column: column, Low: 0, High: 1}}}}); err != nil {
				t.Fatal(err)
			}
		}
		a.Desk().Doc.Do("Name", func(s *state.State) { parts.Populations.Put(s, tree) })
	})
	a.Rest(d)
	d.Until("points of populations are known", 300, func() bool {
		now, fresh := a.Desk().Populations().Now()
		return now != nil && fresh
	})
	dir := t.TempDir()
	for i, want := range []desk.Names{{}, {Each: export.EachPopulation}, {What: desk.NamedCounts},
		{What: desk.NamedKey}, {What: desk.NamedGates}} {
		path := filepath.Join(dir, "out.csv")
		uitest.Do(func() { a.out.Populations(path, want) })
		d.Wait(fmt.Sprintf("export %d is refused or written", i), 20*time.Second, func() bool {
			return a.Jobs.Idle() && (a.dialogs.Open("problem") != nil || there(path))
		})
		if gates := want.What == desk.NamedGates; there(path) != gates || a.dialogs.Open("problem") != nil == gates {
			t.Errorf("export %d is written: %v", i, there(path))
		}
		uitest.Do(func() { a.dialogs.Close("problem") })
		d.Frames(2)
	}
}
