package ui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/ui/dialog"
	"blossom/ui/uitest"
)

// At 200 % in a small window dialogs stay within it: the keys scroll, and of a sheet of samples several columns are in
// sight.
func TestDialogsFitASmallWindowAtTwiceTheSize(t *testing.T) {
	dir := t.TempDir()
	var data []string
	sheet := filepath.Join(dir, "samples.csv")
	for name, text := range map[string]string{
		"donor one.csv": "a,b,c\n1,2,3\n4,5,7\n7,8,8\n2,4,1\n", "donor two.csv": "a,b,c\n3,2,1\n6,5,4\n9,8,7\n1,1,5\n",
		"samples.csv": "file,condition,donor,day,batch,age\n" +
			"donor one.csv,control,D1,0,first,31\ndonor two.csv,treated,D2,7,second,58\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if name != "samples.csv" {
			data = append(data, filepath.Join(dir, name))
		}
	}
	for _, theme := range []string{"light", "dark"} {
		a, d := begin(t, 1280, 800, 2, Options{Paths: data, Theme: theme})
		opened(t, a, d)
		within := func(name string) {
			t.Helper()
			d.Frames(4)
			d.Shoot("narrow-" + name + "-" + theme)
			if r := d.Rect(name); r.X0 < 0 || r.Y0 < 0 || r.X1 > 1280 || r.Y1 > 800 {
				t.Errorf("%s: %s lies at %v", theme, name, r)
			}
		}
		uitest.Do(func() { commandByID("shortcuts").Run(a) })
		within("keys")
		d.Keys("Esc")
		d.Frames(2)
		d.Drop(sheet)
		d.Wait("it asks", 20*time.Second, func() bool { return a.dialogs.Open("question") != nil })
		d.Frames(3)
		d.ClickOn("question/Use it…")
		d.Wait("the sheet is read", 20*time.Second, func() bool { return a.dialogs.Open("samples") != nil })
		within("samples")
		if !d.Has("samples/kind 0/Labels") || !d.Has("samples/kind 1/Labels") || !d.Has("samples/kind 2/Labels") {
			t.Errorf("%s: fewer than three columns of the sheet are in sight", theme)
		}
		d.Keys("Esc")
		d.Frames(2)
		uitest.Do(func() {
			a.settings.Folder = dir
			commandByID("open").Run(a)
		})
		within("files")
		if b, ok := a.dialogs.Open("files").(*dialog.Browser); !ok || b == nil {
			t.Errorf("%s: no files are asked for", theme)
		}
		d.End()
	}
}
