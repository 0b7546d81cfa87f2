package documents

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/clusters/population"
	"blossom/model/document/parts"
	"blossom/ui/uitest"
)

// gatesFile writes gates of columns of csvFile: a polygon, a range in it, and an ellipse that is carried along.
func gatesFile(t *testing.T, dir, x, y string) string {
	t.Helper()
	side := func(name string) string {
		return `<gating:dimension gating:compensation-ref="uncompensated"><data-type:fcs-dimension data-type:name="` +
			name +
			`"/></gating:dimension>`
	}
	corner := func(x, y string) string {
		return `<gating:vertex><gating:coordinate data-type:value="` + x + `"/><gating:coordinate data-type:value="` +
			y +
			`"/></gating:vertex>`
	}
	row := func(a, b string) string {
		return `<gating:row><gating:entry data-type:value="` + a + `"/><gating:entry data-type:value="` + b +
			`"/></gating:row>`
	}
	text := `<?xml version="1.0"?><gating:Gating-ML xmlns:gating="g" xmlns:data-type="d">
		<gating:PolygonGate gating:id="outer">` + side(x) + side(y) + corner("-1000", "-1000") +
		corner("1000", "-1000") +
		corner("1000", "1000") + corner("-1000", "1000") + `</gating:PolygonGate><gating:RectangleGate gating:id="inner"
		gating:parent_id="outer">` +
		strings.Replace(side(x), "<gating:dimension", `<gating:dimension gating:min="0"`, 1) +
		`</gating:RectangleGate><gating:EllipsoidGate gating:id="round">` + side(x) + side(y) +
		`<gating:mean><gating:coordinate data-type:value="0"/><gating:coordinate data-type:value="0"/></gating:mean>
		<gating:covarianceMatrix>` + row("1", "0") + row("0", "1") + `</gating:covarianceMatrix>
		<gating:distanceSquare data-type:value="2"/></gating:EllipsoidGate></gating:Gating-ML>`
	path := filepath.Join(dir, "gates.xml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// Gates that are dropped on the window become populations in their tree, in one entry of the history; those that no
// rule of ours can say are said. Gates of other columns are refused, and the program goes on.
func TestGatesThatAreDroppedBecomePopulations(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, dir)
	a, d := enter(t, 1280, 800, Options{}, csv)
	opened(t, a, d)
	columns := a.Desk().Doc.Data.Columns
	gates := gatesFile(t, dir, columns[0].Name, columns[1].Name)
	tree := func() population.Tree { return parts.Populations.Of(a.Desk().Doc.State()) }
	d.Drop(gates)
	d.Wait("there are populations", time.Minute, func() bool { return tree().Len() == 3 })
	all := tree().All()
	for i, kind := range []string{"gate", "limits", "gating"} {
		if all[i].Rule.Kind() != kind {
			t.Errorf("%s is a rule of the kind %s, want %s", all[i].Name, all[i].Rule.Kind(), kind)
		}
	}
	if all[1].Parent != all[0].ID || all[2].Parent != 0 || all[0].Name != "outer" {
		t.Errorf("they lie otherwise: %+v", all)
	}
	rest(t, a, d)
	var said string
	uitest.Do(func() { said = strings.Join(a.noted, "\n") })
	if !strings.Contains(said, `in the namespace "g", and are read as Gating-ML 2.0`) {
		t.Errorf("what is odd about the file is not said: %s", said)
	}
	uitest.Do(func() { a.Desk().Doc.Undo() })
	if tree().Len() != 0 {
		t.Errorf("undone, there are %d populations", tree().Len())
	}
	d.Drop(gatesFile(t, dir, "nothing", columns[1].Name))
	d.Wait("a failure is said", time.Minute, func() bool { return a.dialogs.Any() })
	if tree().Len() != 0 || a.Desk() == nil {
		t.Error("something has come of gates of other columns")
	}
}

// Gates that are opened as data are become populations too, of the document that stays open.
func TestGatesThatAreOpenedBecomePopulations(t *testing.T) {
	dir := t.TempDir()
	csv, _ := csvFile(t, dir)
	a, d := enter(t, 1280, 800, Options{}, csv)
	opened(t, a, d)
	columns := a.Desk().Doc.Data.Columns
	gates := gatesFile(t, dir, columns[0].Name, columns[1].Name)
	uitest.Do(func() { a.docs.Open(gates) })
	d.Wait("there are populations", time.Minute, func() bool {
		return parts.Populations.Of(a.Desk().Doc.State()).Len() == 3
	})
	if a.Desk().Doc.Files()[0] != csv {
		t.Errorf("%s is open", a.Desk().Doc.Files()[0])
	}
}
