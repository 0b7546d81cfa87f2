package ui

import (
	"encoding/json"
	"testing"

	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
	"blossom/ui/uitest"
)

// A click on "split" is drawn with every panel open: the new view is spoken of before its first frame.
func TestSplitByItsButton(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:tesseract:2000"}})
	opened(t, a, d)
	uitest.Do(func() {
		for _, p := range a.rooms.panels {
			a.ui.Open[p.ID] = true
		}
	})
	d.Frames(2)
	d.ClickOn("view1/split")
	rest(t, a, d)
	if a.troubled() != nil || a.desk.Stage.Count() != 2 {
		t.Fatalf("%d views, %v", a.desk.Stage.Count(), a.troubled())
	}
}

// Views whose layout is lost, damaged or another's are laid out anew: all of them, in their colours.
func TestViewsWithoutTheirLayout(t *testing.T) {
	a, d := begin(t, 1400, 880, 1, Options{Paths: []string{"demo:tesseract:2000"}})
	opened(t, a, d)
	name := a.desk.Doc.Data.Columns[1].Name
	for _, layout := range []string{"", `{"tree":{"view":1}}`, `"x"`, `{"tree":{"cut":"rows","share":7}}`} {
		for _, ids := range [][3]string{{"1", "2", "3"}, {"0", "-1", "4294967295"}, {"01", "a", "99999999999"}} {
			uitest.Do(func() {
				a.desk.Doc.Look(func(s *state.State) {
					parts.Views.Edit(s, func(l *parts.ViewList) {
						*l = parts.ViewList{Active: ids[1], Layout: json.RawMessage(layout)}
						for _, id := range ids {
							l.Views = append(l.Views, parts.NewView(id, embedding.PCA(2)))
						}
						l.Views[2].Recipe = embedding.PCA(3)
					})
				})
				look := parts.DefaultLook()
				look.Column = name
				a.desk.Doc.Do("Colour", func(s *state.State) { parts.Looks.Put(s, parts.LookTable{ids[1]: look}) })
			})
			rest(t, a, d)
			v := a.desk.Stage.Scatters()
			if a.troubled() != nil || len(v) != 3 ||
				a.desk.Stage.Scatter() != v[1] || v[1].View.Look().Column != name ||
				v[0].View.Look().Column != "" || !v[2].Solid() {
				t.Fatalf("layout %s, %v: %d views, %v", layout, ids, len(v), a.troubled())
			}
		}
	}
}
