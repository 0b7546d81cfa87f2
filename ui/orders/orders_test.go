package orders_test

import (
	"slices"
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/model/base/matrix"
	"blossom/model/base/step"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
	"blossom/model/space/transform"
	"blossom/ui/command"
	"blossom/ui/desk"
	"blossom/ui/orders"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
	"blossom/ui/view"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// tell gives the desk of a window a command.
func tell(t *testing.T, s *stand.Window, id string) {
	t.Helper()
	all := slices.Concat(orders.Edit, orders.View)
	i := slices.IndexFunc(all, func(c *command.Command[*desk.Desk]) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("there is no command %s", id)
	}
	uitest.Do(func() { all[i].Run(s.Desk) })
}

// To select all selects what the tool is about, and nothing else.
func TestAllThatTheToolIsAboutIsSelected(t *testing.T) {
	s, _ := stand.Open(t, stand.Options{Data: "demo:tesseract:300"})
	landmarks := parts.Landmarks.Of(s.Desk.Doc.State()).Len()
	for _, tool := range view.Tools() {
		uitest.Do(func() {
			s.Desk.Stage.SelectNone()
			s.Desk.Stage.Hand().Landmarks.Selected, s.Desk.Stage.Hand().Tool = nil, tool
		})
		tell(t, s, "select-all")
		want := [2]int{landmarks, 0}
		if tool.ID == "select" {
			want = [2]int{0, 300}
		}
		got := [2]int{len(s.Desk.Stage.Hand().Landmarks.Selected), s.Desk.Stage.Selected().Count()}
		if got != want {
			t.Errorf("%s: %d landmarks and %d points are selected, not %d and %d", tool.ID, got[0], got[1], want[0],
				want[1])
		}
	}
}

// Colours go through the columns of the table one by one, round and round both ways, past those that are off.
func TestColoursGoThroughTheColumns(t *testing.T) {
	s, _ := stand.Open(t, stand.Options{Data: "demo:tesseract:300"})
	var names []string
	for _, c := range s.Desk.Doc.Data.Columns {
		names = append(names, c.Name)
	}
	uitest.Do(func() {
		s.Desk.Doc.Do("Column off", func(now *state.State) {
			parts.Transform.Edit(now, func(spec *transform.Spec) {
				spec.Columns = slices.Clone(spec.Columns)
				spec.Columns[1].Use = transform.Off
			})
		})
		s.Desk.ColourBy("")
	})
	names = slices.Delete(names, 1, 2)
	was := s.Desk.Doc.History().Done()
	last := len(names) - 1
	for i, step := range []struct {
		command string
		want    int
	}{{"next-column", 0}, {"next-column", 1}, {"former-column", 0}, {"former-column", last}, {"next-column", 0}} {
		tell(t, s, step.command)
		if got := s.Desk.Look().Column; got != names[step.want] {
			t.Fatalf("step %d, %s: coloured by %q, not by %q", i, step.command, got, names[step.want])
		}
	}
	if n := s.Desk.Doc.History().Done() - was; n != 1 {
		t.Errorf("flicking made %d entries", n)
	}
	uitest.Do(func() { s.Desk.ColourBy("") })
	tell(t, s, "former-column")
	if got := s.Desk.Look().Column; got != names[last] {
		t.Errorf("from one colour back to %q, not to %q", got, names[last])
	}
}

// Islands are one word away: the layout is chosen with the values that suit the landmarks, and runs.
func TestIslandsAreOneWordAway(t *testing.T) {
	s, d := stand.Open(t, stand.Options{Data: "demo:cytometry:1000"})
	before := parts.Landmarks.Of(s.Desk.Doc.State())
	uitest.Do(func() { orders.Islands(s.Desk) })
	if l := parts.Layout.Of(s.Desk.Doc.State()); l.Algorithm != "tsne" ||
		!s.Desk.Layout().Stands().Active {
		t.Fatalf("%+v, active: %t", l, s.Desk.Layout().Stands().Active)
	}
	s.Rest(d)
	now := parts.Landmarks.Of(s.Desk.Doc.State())
	if now.PosRev == before.PosRev || now.CodeRev != before.CodeRev || now.ByHand {
		t.Errorf("moved %t, trained %t, by hand %t", now.PosRev != before.PosRev, now.CodeRev != before.CodeRev,
			now.ByHand)
	}
}

// New landmarks take nothing of the neighbourhood on another map: neither where it ended nor what held it.
func TestNewLandmarksHaveANeighbourhoodOfTheirOwn(t *testing.T) {
	l, err := landmark.New(matrix.New(2, 1), matrix.Matrix32{Rows: 2, Cols: 2, Data: []float32{0, 0, 3, 0}})
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range train.All() {
		if _, has := a.Param("sigma_from"); !has {
			continue
		}
		held := step.Values{"sigma_to": 8, "sigma": 5, "alpha_to": 0.02}
		v := orders.Suggest(parts.TrainingChoice{Algorithm: a.ID, Values: held}, 1000, l)
		if !(v["sigma_to"] < v["sigma_from"]) || v["sigma"] != 0 || v["alpha_to"] != 0.02 {
			t.Errorf("%s: %v", a.ID, v)
		}
	}
}
