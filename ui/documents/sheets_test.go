package documents

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/dataset"
	"blossom/model/data/panel"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// put writes a file.
func put(t *testing.T, path, text string) string {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// twoDonors opens two files of one panel.
func twoDonors(t *testing.T) (*room, *uitest.Driver, string) {
	t.Helper()
	const head = "FSC-A,FL1-A,FL2-A,FL3-A,FL4-A,Time"
	paths := panels(t, head, head)
	a, d := enter(t, 1280, 800, Options{}, paths...)
	opened(t, a, d)
	return a, d, filepath.Dir(paths[0])
}

// column is a column of the open data.
func column(a *room, name string) (c dataset.Column) {
	uitest.Do(func() {
		if i, err := a.Desk().Doc.Data.Find(name); err == nil {
			c = a.Desk().Doc.Data.Columns[i]
		}
	})
	return c
}

// A sheet of samples shows what it says before it is taken over: which row each file has, and what each column is.
// Taken over it is one entry of the history, and its columns colour the view.
func TestASheetOfSamplesIsShownAndTaken(t *testing.T) {
	a, d, dir := twoDonors(t)
	path := put(t, filepath.Join(dir, "samples.csv"), "file_name,condition,age,batch\nDONOR1,ctrl,41,1\n"+
		"donor2.csv,case,39.5,2\ndonor7.csv,case,12,1\n")
	uitest.Do(func() { a.docs.Sheets.AskSamples() })
	answer(d, path)
	d.Wait("it is shown", time.Minute, func() bool { return a.dialogs.Open("samples") != nil })
	d.Frames(4)
	looks(a, d, "samples", "samples")
	d.ClickOn("samples/kind 2/Numbers")
	d.Frames(2)
	d.ClickOn("samples/Use it")
	rest(t, a, d)
	now := parts.Samples.Of(a.Desk().Doc.State())
	if !slices.Equal(now.Columns(), []string{"condition", "age", "batch"}) || now.Measure(0) || !now.Measure(1) ||
		!now.Measure(2) || now.Cell("donor1.csv", 0) != "ctrl" {
		t.Fatalf("the sheet is %+v", now)
	}
	said := strings.Join(a.noted, "\n")
	if !strings.Contains(said, "3 columns for 2 samples; 1 row of no sample: donor7.csv") {
		t.Errorf("said is %q", said)
	}
	for name, numbers := range map[string]bool{"sample: condition": false, "sample: age": true} {
		uitest.Do(func() { a.Desk().ColourBy(name) })
		rest(t, a, d)
		uitest.Do(func() {
			c, _, err := a.Desk().Column(name)
			if err != nil || c == nil || (c.Categories == nil) != numbers || numbers && c.Role != dataset.Measure {
				t.Errorf("%s is %+v, %v", name, c, err)
			}
		})
	}
	back := ""
	uitest.Do(func() {
		for parts.Samples.Of(a.Desk().Doc.State()).At("age") >= 0 {
			back = a.Desk().Doc.Undo()
		}
	})
	if !strings.Contains(back, "Read the samples of samples.csv") || !parts.Samples.Of(a.Desk().Doc.State()).Empty() {
		t.Errorf("undone was %q", back)
	}
	rest(t, a, d)

	uitest.Do(func() {
		a.docs.Sheets.ReadSamples(put(t, path, "file_name,condition\ndonor1.csv,a\ndonor1,b\n"))
	})
	d.Wait("it is shown", time.Minute, func() bool { return a.dialogs.Open("samples") != nil })
	d.Frames(4)
	looks(a, d, "samples-twice", "samples")
	d.ClickOn("samples/Use it") // it cannot be
	d.Frames(3)
	if a.dialogs.Open("samples") == nil || !parts.Samples.Of(a.Desk().Doc.State()).Empty() {
		t.Error("a sheet with two rows of a sample was taken")
	}
	d.Keys("Escape")
	d.Frames(3)
}

// A sheet is exported as a table that can be read again.
func TestSheetsAreExported(t *testing.T) {
	a, d, dir := twoDonors(t)
	s, err := parts.Samples.Of(a.Desk().Doc.State()).Add("group")
	if err != nil {
		t.Fatal(err)
	}
	s = s.Set("donor1.csv", 0, "a, b").Set("donor2.csv", 0, "c")
	uitest.Do(func() { a.Desk().Doc.Do("Type", parts.Samples.With(s)) })
	uitest.Do(func() { a.docs.Sheets.AskExportSamples() })
	path := filepath.Join(dir, "out.csv")
	answer(d, path)
	rest(t, a, d)
	text, err := os.ReadFile(path)
	if err != nil || string(text) != "file_name,group\ndonor1.csv,\"a, b\"\ndonor2.csv,c\n" {
		t.Errorf("written is %q, %v", text, err)
	}
}

// A panel is read and mended in its dialog. Applied it calls the columns and chooses those of the map, as one entry of
// the history, and a session knows it.
func TestAPanelIsReadEditedAndApplied(t *testing.T) {
	a, d, dir := twoDonors(t)
	before := mapNames(a)
	path := put(t, filepath.Join(dir, "panel.csv"),
		"fcs_colname,antigen,marker_class\nFL1-A,CD3,type\nfl2-a,CD4,type\n"+
			"FL3-A,CD8,state\nFL3-A,CD8a,type\nFL9-A,CD19,none\nFL4-A,CD56,typo\n")
	uitest.Do(func() { a.docs.Sheets.ReadPanel(path) })
	d.Wait("it is shown", time.Minute, func() bool { return a.dialogs.Open("panel") != nil })
	d.Frames(4)
	looks(a, d, "panel", "panel")
	d.ClickOn("panel/Apply") // not before the rows that are marked are decided
	d.Frames(3)
	if a.dialogs.Open("panel") == nil {
		t.Fatal("a panel that names a column twice was applied")
	}
	d.ClickOn("panel/class 3/State")
	d.Frames(2)
	d.ClickOn("panel/class 4/None")
	d.Frames(2)
	d.ClickOn("panel/antigen 4")
	d.Keys("Ctrl+A")
	d.Type("CD57")
	d.Frames(2)
	d.ClickOn("panel/Apply")
	rest(t, a, d)
	want := []string{"CD3", "CD4"}
	if got := mapNames(a); !slices.Equal(got, want) {
		t.Fatalf("the map is of %q, it was of %q", got, before)
	}
	if c := column(a, "FL4-A"); c.Label != "CD57" || !c.Aside || column(a, "FL3-A").Label != "CD8" {
		t.Errorf("the columns are %+v", c)
	}
	undone := ""
	uitest.Do(func() { undone = a.Desk().Doc.Undo() })
	rest(t, a, d)
	if got := mapNames(a); undone != "Take the panel of panel.csv" || !slices.Equal(got, before) ||
		column(a, "FL1-A").Label != "" {
		t.Errorf("%q undone, the map is of %q and FL1-A is %+v", undone, got, column(a, "FL1-A"))
	}
	uitest.Do(func() { a.Desk().Doc.Redo() })
	rest(t, a, d)
	if got := mapNames(a); !slices.Equal(got, want) {
		t.Errorf("done again the map is of %q", got)
	}
	session := filepath.Join(dir, "s.blossom")
	uitest.Do(func() { a.docs.Saving.SessionTo(session) })
	rest(t, a, d)
	was := a.Desk().Doc
	uitest.Do(func() { a.docs.Open(session) })
	d.Wait("the session is open", time.Minute, func() bool { return a.Desk().Doc != was })
	opened(t, a, d)
	if got := mapNames(a); !slices.Equal(got, want) || column(a, "FL4-A").Label != "CD57" {
		t.Errorf("in the session the map is of %q, and FL4-A is %+v", got, column(a, "FL4-A"))
	}
	uitest.Do(func() { a.Desk().Doc.Undo() })
	rest(t, a, d)
	if got := mapNames(a); !slices.Equal(got, before) || column(a, "FL4-A").Label != "" {
		t.Errorf("undone in the session the map is of %q", got)
	}
}

// A sheet that is dropped on the window is known by its columns, and asked about.
func TestADroppedSheetIsAskedAbout(t *testing.T) {
	a, d, dir := twoDonors(t)
	samples := put(t, filepath.Join(dir, "sheet.csv"), "file,group\ndonor1.csv,x\ndonor2.csv,y\n")
	marker := put(t, filepath.Join(dir, "markers.csv"), "channel,marker\nFL1-A,CD3\n")
	other := put(t, filepath.Join(dir, "other.csv"), "FL1-A,FL2-A\n1,2\n3,5\n6,7\n")
	asked := func(path string) *dialog.Asked {
		d.Drop(path)
		d.Wait("it asks", time.Minute, func() bool { return a.dialogs.Open("question") != nil })
		d.Frames(3)
		return a.dialogs.Open("question").(*dialog.Asked)
	}
	if q := asked(samples); q.Title != "Use it for the open data?" {
		t.Errorf("it asks %+v", q.Question)
	}
	looks(a, d, "dropped-sheet", "question")
	d.ClickOn("question/Use it…")
	d.Wait("it is shown", time.Minute, func() bool { return a.dialogs.Open("samples") != nil })
	d.Frames(3)
	d.ClickOn("samples/Use it")
	rest(t, a, d)
	if parts.Samples.Of(a.Desk().Doc.State()).Cell("donor2.csv", 0) != "y" {
		t.Error("the sheet was not taken")
	}
	if q := asked(marker); !strings.Contains(q.Says[0], "a panel") {
		t.Errorf("it asks %+v", q.Question)
	}
	d.ClickOn("question/Open as data")
	d.Frames(3)
	if q, ok := a.dialogs.Open("question").(*dialog.Asked); !ok || q.Title != "Add to the map, or open instead?" {
		t.Error("a panel that is to be data is not asked about as data")
	}
	d.Keys("Escape")
	d.Frames(3)
	if q := asked(other); q.Title != "Add to the map, or open instead?" {
		t.Errorf("of data it asks %+v", q.Question)
	}
}

// A damaged file among two does not keep the other one from opening, and is said.
func TestTheOtherOfTwoFilesOpens(t *testing.T) {
	paths := panels(t, "FL1-A,FL2-A,FL3-A", "FL1-A,FL2-A,FL3-A")
	bad := put(t, filepath.Join(filepath.Dir(paths[0]), "cut.fcs"), "FCS3.1         58     100")
	a, d := enter(t, 1280, 800, Options{}, paths[0], bad)
	opened(t, a, d)
	if got := a.Desk().Doc.Files(); !slices.Equal(got, paths[:1]) {
		t.Errorf("open is %q", got)
	}
	if said := strings.Join(a.noted, "\n"); !strings.Contains(said, "cut.fcs is left out") {
		t.Errorf("said is %q", said)
	}
}

// A folder is its data files as one table, with the sheets that lie in it.
func TestAFolderOpensWithItsSheets(t *testing.T) {
	paths := panels(t, "FL1-A,FL2-A,FL3-A,FL4-A", "FL1-A,FL2-A,FL3-A,FL4-A")
	dir := filepath.Dir(paths[0])
	put(t, filepath.Join(dir, "samples.csv"), "file_name,group\ndonor1.csv,x\ndonor2.csv,y\n")
	put(t, filepath.Join(dir, "panel.tsv"), "fcs_colname\tantigen\tmarker_class\nFL1-A\tCD3\ttype\n"+
		"FL2-A\tCD4\tstate\nFL3-A\t\ttype\n")
	a, d := enter(t, 1280, 800, Options{}, dir)
	opened(t, a, d)
	if got := a.Desk().Doc.Files(); !slices.Equal(got, paths) {
		t.Errorf("open are %q", got)
	}
	if got := mapNames(a); !slices.Equal(got, []string{"CD3", "FL3-A"}) { // none has said what FL4-A is
		t.Errorf("the map is of %q", got)
	}
	if s := parts.Samples.Of(a.Desk().Doc.State()); s.Cell("donor2.csv", 0) != "y" {
		t.Errorf("the samples are %+v", s)
	}
	said := strings.Join(a.noted, "\n")
	for _, want := range []string{"samples.csv is used as the sheet of samples", "panel.tsv is used as the panel"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said in %q", want, said)
		}
	}
}

// Sheets that are named with the files on the command line are taken with these.
func TestFilesOpenWithTheirSheets(t *testing.T) {
	paths := panels(t, "FL1-A,FL2-A,FL3-A,FL4-A", "FL1-A,FL2-A,FL3-A,FL4-A")
	dir := filepath.Dir(paths[0])
	sheets := opening.Sheets{Samples: put(t, filepath.Join(dir, "s.csv"), "FCS;group\ndonor1;x\ndonor2;y\n"),
		Panel: put(t, filepath.Join(dir, "p.csv"), "fcs_colname;marker_class\nFL1-A;none\n")}
	a, d := enter(t, 1280, 800, Options{Sheets: sheets}, paths...)
	opened(t, a, d)
	if got := mapNames(a); !slices.Equal(got, []string{"FL2-A", "FL3-A", "FL4-A"}) {
		t.Errorf("the map is of %q", got)
	}
	if p := parts.Panel.Of(a.Desk().Doc.State()); len(p.Rows()) != 1 || p.Rows()[0].Class != panel.None {
		t.Errorf("the panel is %+v", p)
	}
	if s := parts.Samples.Of(a.Desk().Doc.State()); s.Cell("donor2.csv", 0) != "y" {
		t.Errorf("the samples are %+v", s)
	}
}
