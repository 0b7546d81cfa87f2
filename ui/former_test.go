package ui

import (
	"context"
	"strings"
	"testing"

	"blossom/model/document/opening"
	"blossom/model/work"
	"blossom/ui/desk"
	"blossom/ui/orders"
	"blossom/ui/uitest"
)

// Offers and jobs of a document go with it: another one is neither changed by them nor met by a dialog.
func TestOffersGoWithTheirDocument(t *testing.T) {
	a, d := begin(t, 1100, 900, 1, Options{Paths: []string{"demo:tesseract:500"}, Still: true})
	opened(t, a, d)
	offered := "Made for the tesseract"
	uitest.Do(func() {
		a.note(desk.Note{Text: offered, Sticky: true, Actions: []desk.Action{{Label: "Change", Do: func() {}}}})
		orders.NewLandmarks(a.desk)
		o, err := opening.Load(context.Background(), []string{"demo:s-sheet:400"}, a.docs.Options.Reading, &work.Job{})
		if err != nil {
			t.Error(err)
			return
		}
		a.docs.Adopt(o, "demo:s-sheet:400") // the job's result comes after this
	})
	rest(t, a, d)
	uitest.Do(func() {
		if a.troubled() != nil {
			t.Errorf("a dialog says %v", a.troubled())
		}
		if n := a.desk.Doc.Data.Points; n != 400 {
			t.Errorf("%d points are open", n)
		}
		if strings.Contains(a.ui.Toasts(), offered) {
			t.Error("an offer for the former document stays")
		}
		if !strings.Contains(a.ui.Toasts(), "is kept under File, Reopen") {
			t.Errorf("of the new one is said %q", a.ui.Toasts())
		}
	})
}
