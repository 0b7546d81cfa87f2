package documents

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/exchange"
	"blossom/model/landmarks/landmark"
	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// Landmarks go out by the dialogs in every kind of file and in every kind of values, and come back the same; one undo
// brings the others back.
func TestLandmarksOutAndIn(t *testing.T) {
	a, d := enter(t, 1100, 750, Options{}, "demo:cytometry:800")
	opened(t, a, d)
	uitest.Do(func() { dialog.NameLandmarks(a.Desk(), []int{3}, "B cells") })
	want := a.Marks()
	dir := t.TempDir()
	for i, k := range exchange.Kinds() {
		for v := range 3 {
			if v > 0 && !k.Raw {
				continue
			}
			uitest.Do(func() {
				dialog.ExportLandmarks.Show(a.dialogs, dialog.Exported{Kind: i, Values: v, Save: a.docs.Landmarks.Save})
			})
			d.Frames(3)
			d.ClickOn("landmark-file")
			path := filepath.Join(dir, fmt.Sprintf("%s %d%s", k.ID, v, k.Ending))
			answer(d, path)
			files := []string{path}
			if k.Files != nil {
				files = k.Files(path)
			}
			d.Wait("it is written", 10*time.Second, func() bool {
				return exists(files[len(files)-1]) &&
					a.Jobs.Idle()
			})

			uitest.Do(func() { // another map meanwhile
				few, _, err := want.Remove([]int{0, 1, 2})
				if err != nil {
					t.Error(err)
					return
				}
				a.Desk().Doc.Do("Remove landmarks", func(s *state.State) { parts.Landmarks.Put(s, few) })
				a.docs.Landmarks.AskImport()
			})
			answer(d, files[0])
			d.Wait("the dialog asks", 10*time.Second, func() bool { return a.dialogs.Open("import-landmarks") != nil })
			d.Frames(3)
			if got := a.dialogs.Open("import-landmarks").(*dialog.Importing).Values; k.Raw && got != v {
				t.Errorf("%s: the values are taken to be %d, not %d", k.ID, got, v)
			}
			d.ClickOn("import")
			rest(t, a, d)
			got := a.Marks()
			same(t, fmt.Sprintf("%s, values %d", k.Title, v), got, want)
			if h := a.Desk().Doc.History(); h.CanUndo() != "Import landmarks" {
				t.Errorf("the last entry is %q", h.CanUndo())
			}
			d.Keys("Ctrl+Z")
			if n := a.Marks().Len(); n != want.Len()-3 {
				t.Errorf("after undo there are %d landmarks", n)
			}
			d.Keys("Ctrl+Z")
		}
	}
}

func same(t *testing.T, what string, got, want *landmark.Set) {
	t.Helper()
	if got.Len() != want.Len() || got.Codebook.Cols != want.Codebook.Cols {
		t.Fatalf("%s: %d landmarks of %d", what, got.Len(), want.Len())
	}
	for i, x := range want.Pos.Data {
		if got.Pos.Data[i] != x {
			t.Fatalf("%s: coordinate %d is %g, not %g", what, i, got.Pos.Data[i], x)
		}
	}
	for i, x := range want.Codebook.Data {
		if math.Abs(float64(got.Codebook.Data[i]-x)) > 2e-4*(1+math.Abs(float64(x))) {
			t.Fatalf("%s: value %d is %g, not %g", what, i, got.Codebook.Data[i], x)
		}
	}
}

// A file that cannot be landmarks of this map is refused with a remedy, and changes nothing.
func TestImportOfWrongFiles(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:tesseract:500")
	opened(t, a, d)
	was := a.Marks()
	for name, text := range map[string]string{"few.csv": "a,b,x1,x2\n1,2,3,4\n", "none.csv": "q,r\n1,2\n3,4\n",
		"bad.json": "{\"format\": \"blossom landmarks\"", "empty.csv": "", "nan.csv": "x,y,z,w,position1,position2\n" +
			"1,2,NaN,4,5,6\n1,2,3,4,5,6\n"} {
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		uitest.Do(func() { a.docs.Landmarks.AskImport() })
		answer(d, path)
		d.Wait("it is refused", 10*time.Second, a.dialogs.Any)
		if a.troubled() == nil || a.troubled().Remedy == "" || !strings.Contains(a.troubled().File, name) {
			t.Errorf("%s: %+v", name, a.troubled())
		}
		d.Keys("Esc")
		d.Frames(2)
		if a.Marks() != was || a.Desk().Doc.History().Len() != 0 {
			t.Errorf("%s changed something", name)
		}
	}
}

func TestLandmarkDialogsLook(t *testing.T) {
	a, d := enter(t, 900, 600, Options{}, "demo:cytometry:2000")
	opened(t, a, d)
	path := filepath.Join(t.TempDir(), "landmarks_hd.tsv")
	kind := slices.IndexFunc(exchange.Kinds(), func(k exchange.Kind) bool { return k.ID == "blossom" })
	uitest.Do(func() { a.docs.Landmarks.WriteTo(path, exchange.Kinds()[kind], exchange.Centred) })
	rest(t, a, d)
	uitest.Do(func() { dialog.ExportLandmarks.Show(a.dialogs, dialog.Exported{Kind: 1, Save: a.docs.Landmarks.Save}) })
	looks(a, d, "landmarks-export", "export-landmarks")
	inSight(t, d, "export-landmarks", "landmark-file")
	d.Keys("Esc")
	uitest.Do(func() { a.docs.Landmarks.Read(path) })
	d.Wait("the dialog asks", 10*time.Second, func() bool { return a.dialogs.Open("import-landmarks") != nil })
	looks(a, d, "landmarks-import", "import-landmarks")
	inSight(t, d, "import-landmarks", "import-landmarks/import")
}

// Landmarks of a file can be added to those of the map.
func TestLandmarksOfAFileAreAdded(t *testing.T) {
	a, d := enter(t, 1100, 750, Options{}, "demo:tesseract:500")
	opened(t, a, d)
	was := a.Marks()
	path := filepath.Join(t.TempDir(), "two.csv")
	text := "x,y,z,w,position1,position2\n1,2,3,4,50,60\n0,1,0,1,70,60\n"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	uitest.Do(func() { a.docs.Landmarks.AskImport() })
	answer(d, path)
	d.Wait("the dialog is there", time.Minute, func() bool { return a.dialogs.Open("import-landmarks") != nil })
	uitest.Do(func() {
		i := a.dialogs.Open("import-landmarks").(*dialog.Importing)
		i.Add, i.Values = true, int(exchange.AsInMap)
	})
	d.Frames(3)
	d.Shoot("import-add")
	d.ClickOn("import")
	rest(t, a, d)
	now := a.Marks()
	if now.Len() != was.Len()+2 || !slices.Equal(now.Codebook.Row(was.Len()), []float32{1, 2, 3, 4}) ||
		!slices.Equal(now.Pos.Row(was.Len()+1), []float32{70, 60}) || a.Desk().Doc.History().Len() != 1 {
		t.Errorf("%d landmarks after 2 were added to %d, in %d entries", now.Len(), was.Len(),
			a.Desk().Doc.History().Len())
	}
	if sel := a.Desk().Stage.Hand().Landmarks.Selected; !slices.Equal(sel, []int{was.Len(), was.Len() + 1}) {
		t.Errorf("%v are selected", sel)
	}
}
