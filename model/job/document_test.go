package job

import (
	"strings"
	"testing"

	"blossom/model/data/demo"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// A document whose window shows another embedding says so where EmbedSOM is computed, and nowhere else.
func TestOnlyCoordinatesAreSaidToBeOfEmbedSOM(t *testing.T) {
	data, err := demo.Generate(t.Context(), "tesseract", 100, 1)
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(t.Context(), data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Always(func(s *state.State) {
		parts.Views.Edit(s, func(l *parts.ViewList) {
			l.Views = append([]parts.View(nil), l.Views...)
			for i := range l.Views {
				l.Views[i].Recipe = embedding.TSNE(2)
			}
		})
	})
	for _, w := range []Want{&Labels{}, DefaultTSNE(), &Embedding{}} {
		j, err := OfDocument(t.Context(), o.Doc)
		if err != nil {
			t.Fatal(err)
		}
		j.Want(w)
		if said := strings.Contains(strings.Join(j.notes, "\n"), "EmbedSOM"); said != (w.What() == "embedding") {
			t.Errorf("%s: %q", w.What(), j.notes)
		}
	}
}
