package documents

import (
	"testing"

	"blossom/model/document/recovery"
)

// A window that was killed with everything saved has left no work without saving, and one session stays as one.
func TestKilledWithEverythingSaved(t *testing.T) {
	about := func(session string, changed, closed bool) recovery.Item {
		return recovery.Item{About: recovery.About{Name: "a", Session: session, Changed: changed, Closed: closed}}
	}
	saved, lost, changed, closed := about("a.blossom", false, false), about("", true, false),
		about("a.blossom", true, false), about("", true, true)
	untouched, open := about("", false, false), about("", false, false)
	open.Held = true
	l := Left{items: []recovery.Item{saved, lost, changed, closed, untouched, open}}
	if n := len(l.Crashed()); n != 2 {
		t.Errorf("%d of 2 have work that was not saved", n)
	}
	if n := len(l.Unsaved("own")); n != 4 {
		t.Errorf("%d are listed, not the 3 with work and the one that is open", n)
	}
}

// Documents left by a window that ends while this one is open are offered here, too, and each once.
func TestACrashBesideIsOfferedOnce(t *testing.T) {
	var l Left
	one := recovery.Item{ID: "1", About: recovery.About{Changed: true}}
	two := recovery.Item{ID: "2", About: recovery.About{Changed: true}}
	open := recovery.Item{ID: "3", Held: true, About: recovery.About{Changed: true}}
	for i, c := range []struct {
		items []recovery.Item
		want  int
	}{{nil, 0}, {[]recovery.Item{one, open}, 1}, {[]recovery.Item{one, open}, 0}, {[]recovery.Item{one, two}, 1}} {
		l.items = c.items
		if got := len(l.Fresh()); got != c.want {
			t.Errorf("list %d: %d are offered, not %d", i, got, c.want)
		}
	}
}
