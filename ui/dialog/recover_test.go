package dialog

import (
	"path/filepath"
	"slices"
	"testing"
	"time"

	"blossom/model/document/recovery"
	"blossom/ui/uitest"
	"blossom/ui/widget"
)

// left is a session that a window has left.
func left(id string, about recovery.About) recovery.Item {
	about.Name = id
	return recovery.Item{ID: id, Path: "/state/" + id, At: time.Unix(1_700_000_000, 0), About: about}
}

// Each item of the list is said in a sentence.
func TestRecoverSaysWhatIsLeft(t *testing.T) {
	lost := left("lost", recovery.About{Changed: true})
	closed := left("closed", recovery.About{Changed: true, Closed: true})
	for _, c := range []struct {
		items []recovery.Item
		want  string
	}{
		{[]recovery.Item{closed}, "These were closed without saving. The last 20 stay here until you open or " +
			"forget them."},
		{[]recovery.Item{lost, closed}, "blossom ended without saving one session, which stays here until you " +
			"open or forget it. Of those that were closed without saving, the last 20 stay."},
	} {
		if got := recoverSays(c.items); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// Sessions of the same data are told apart by what was done in them.
func TestRecoverSaysWhatWasDone(t *testing.T) {
	for _, c := range []struct {
		about recovery.About
		want  string
	}{
		{recovery.About{}, ""},
		{recovery.About{Changes: 1, Last: "Move landmark 3"}, "1 change, the last: Move landmark 3"},
		{recovery.About{Changes: 12, Last: "Pin", Populations: 3}, "12 changes, the last: Pin · 3 populations"},
	} {
		i := left("a", c.about)
		if got := changesText(&i) + groupsText(&i); got != c.want {
			t.Errorf("%q, not %q", got, c.want)
		}
	}
}

// Enter opens the entry that the arrow keys have come to, past what cannot be opened; what is marked is forgotten when
// the list closes.
func TestEnterOpensWhatIsSelectedInRecover(t *testing.T) {
	held, broken := left("held", recovery.About{}), left("broken", recovery.About{})
	held.Held, broken.Path = true, ""
	items := []recovery.Item{left("one", recovery.About{Changed: true}), broken,
		left("two", recovery.About{Changed: true}), left("three", recovery.About{Changed: true}), held}
	for _, c := range []struct {
		keys []string
		drop string
		want string
	}{{nil, "", "one"}, {[]string{"Down"}, "", "two"}, {[]string{"Down", "Down", "Down"}, "", "three"},
		{[]string{"Down", "Up", "Up"}, "", "one"}, {[]string{"Down"}, "two", "one"}} {
		s, d := beginSized(t, widget.Light(), 1000, 700, 1)
		var opened, forgotten []string
		uitest.Do(func() {
			Recover.Show(s.dialogs, LeftWork{List: func() []recovery.Item { return items },
				Open: func(i recovery.Item) { opened = append(opened, i.ID) },
				Forget: func(todo []recovery.Item) {
					for _, i := range todo {
						forgotten = append(forgotten, i.ID)
					}
				}})
		})
		d.Frames(3)
		for _, k := range c.keys {
			d.Keys(k)
			d.Frames(2)
		}
		want := []string(nil)
		if c.drop != "" {
			d.ClickOn("recover/" + c.drop + "/drop")
			d.Frames(2)
			want = []string{c.drop}
		}
		d.Keys("Enter")
		d.Frames(3)
		if !slices.Equal(opened, []string{c.want}) || !slices.Equal(forgotten, want) || s.dialogs.Any() {
			t.Errorf("%q: opened %q, forgotten %q, open: %v", c.keys, opened, forgotten, s.dialogs.Any())
		}
		d.End()
	}
}

// Sessions of one name are told apart in their rows: by folders as far as these differ, else by the time, with seconds
// where that is needed. Others say no more than they have to.
func TestSessionsOfOneNameAreToldApart(t *testing.T) {
	now := time.Date(2024, 5, 17, 15, 0, 0, 0, time.Local)
	at := now.Add(-time.Hour)
	item := func(name, data string, at time.Time) recovery.Item {
		return recovery.Item{About: recovery.About{Name: name}, Data: []string{data}, At: at}
	}
	items := []recovery.Item{item("a", "/x/run-1/a.fcs", at), item("a", "/x/run-2/a.fcs", at),
		item("b", "/x/b.csv", at), item("b", "/x/b.csv", at.Add(time.Second)), item("b", "/x/b.csv", at.Add(time.Hour)),
		item("c", "/x/run-1/c.csv", at), item("d", "/x/one/data/d.csv", at), item("d", "/x/two/data/d.csv", at),
		item("e", "demo:mammoth", at), item("e", "demo:mammoth", at.AddDate(-1, 0, 0))}
	want := []apart{{"in run-1", "today 14:00"}, {"in run-2", "today 14:00"}, {"", "today 14:00:00"},
		{"", "today 14:00:01"}, {"", "today 15:00"}, {"", "today 14:00"}, {"in one/data", "today 14:00"},
		{"in two/data", "today 14:00"}, {"", "today 14:00"}, {"", "17 May 2023"}}
	for i, got := range namesApart(items, now) {
		got.folder = filepath.ToSlash(got.folder)
		if got != want[i] {
			t.Errorf("%s of %s: %+v, not %+v", items[i].Name, items[i].Data[0], got, want[i])
		}
	}
}
