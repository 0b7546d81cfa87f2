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
	"blossom/render/palette"
	"blossom/ui/desk"
	"blossom/ui/uitest"
)

// The window appends to data, in one file and in one of each input, what the command appends of its document, to the
// byte.
func TestTheWindowAppendsAsTheCommand(t *testing.T) {
	dir := t.TempDir()
	var inputs []string
	for i, name := range []string{"one.csv", "two.csv"} {
		text := "id,CD3,CD4,CD8\n"
		for row := range 300 {
			text += fmt.Sprintf("cell %d,%d,%d,%d\n", row, (row*37+i)%101, (row*61)%113, (row*row+i)%97)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		inputs = append(inputs, path)
	}
	sheetOf := filepath.Join(dir, "samples.csv")
	rows := "file,condition,age\none.csv,ctrl,41.3\ntwo.csv,case,39\n"
	if err := os.WriteFile(sheetOf, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	found, err := sheet.Read(t.Context(), sheetOf, []string{"one.csv", "two.csv"}, "")
	if err != nil {
		t.Fatal(err)
	}
	known := found.Sheet
	a, d := enter(t, 900, 700, inputs[0], inputs[1])
	uitest.Do(func() {
		var tree population.Tree
		tree, _, err := tree.Add(population.Population{Name: "high",
			Rule: &population.Limits{Of: []population.Limit{{Column: "CD3", Low: 50, High: 1e6}}}})
		if err != nil {
			t.Fatal(err)
		}
		a.Desk().Doc.Do("Name", func(s *state.State) {
			parts.Populations.Put(s, tree)
			parts.Samples.Put(s, known)
		})
	})
	a.Rest(d)
	for _, x := range []struct {
		file string
		each export.Each
		of   []string
	}{
		{"all.csv", "", []string{"all.csv"}},
		{"all.fcs", "", []string{"all.fcs"}},
		{"out" + string(os.PathSeparator), export.EachFile, []string{"out/one_blossom.csv", "out/two_blossom.csv"}},
	} {
		window, command := filepath.Join(dir, "window"), filepath.Join(dir, "command")
		for _, folder := range []string{window, command} {
			if err := os.MkdirAll(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		uitest.Do(func() {
			a.out.Coordinates(window+string(os.PathSeparator)+x.file, desk.Table{Append: true, Each: x.each})
		})
		last := filepath.Join(window, x.of[len(x.of)-1])
		d.Wait(x.file+" is written", 20*time.Second, func() bool { return there(last) && a.Jobs.Idle() })
		j, err := job.OfDocument(t.Context(), a.Desk().Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Engine.Kind = "cpu"
		j.Want(&job.Embedding{Output: command + string(os.PathSeparator) + x.file,
			Beside: job.Beside{Append: true, Each: x.each}})
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
				t.Errorf("%s: the window writes %d bytes and the command %d others (%v)\n%.200q\n%.200q", file,
					len(got), len(want), err, got, want)
			}
			if strings.HasSuffix(file, ".csv") && !strings.Contains(string(got[:200]),
				"CD8,") || !strings.Contains(string(got), "nearest landmark") ||
				!strings.Contains(string(got), "condition") || !strings.Contains(string(got), "age") {
				t.Errorf("%s begins with %.100q", file, got)
			}
		}
	}
	// A column of the sheet that is ticked as well is there once.
	for _, want := range []desk.Table{{Append: true}, {Columns: true}} {
		want.Derived = []string{"sample: age"}
		once := filepath.Join(dir, fmt.Sprintf("once %t.csv", want.Append))
		uitest.Do(func() { a.out.Coordinates(once, want) })
		d.Wait("it is written", 20*time.Second, func() bool { return there(once) && a.Jobs.Idle() })
		text, err := os.ReadFile(once)
		head, _, _ := strings.Cut(string(text), "\n")
		if err != nil || strings.Count(head, "age") != 1 || !strings.Contains(head, ",age,") {
			t.Errorf("the columns are %q, %v", head, err)
		}
	}
	// A file that is there already is not written over, and then none is written.
	mine := filepath.Join(dir, "window", "mine", "two_blossom.csv")
	if err := os.MkdirAll(filepath.Dir(mine), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(mine, []byte("mine"), 0o644); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() {
		a.out.Coordinates(filepath.Dir(mine)+string(os.PathSeparator), desk.Table{Append: true, Each: export.EachFile})
	})
	d.Wait("it is refused", 20*time.Second, func() bool { return a.dialogs.Open("problem") != nil && a.Jobs.Idle() })
	if text, err := os.ReadFile(mine); err != nil || string(text) != "mine" ||
		there(filepath.Join(dir, "window", "mine", "one_blossom.csv")) {
		t.Errorf("%q, %v", text, err)
	}
}
