package live

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// saveTo writes the document as a session with its history, as the window does.
func (d *desk) saveTo(t testing.TB, path string) {
	t.Helper()
	doc := d.Doc.Snapshot(d.Doc.State())
	if err := opening.KeepTree(doc, path); err != nil {
		t.Fatal(err)
	}
	s, err := session.Full(doc, path, "test", time.Now(), nil)
	var b bytes.Buffer
	if err == nil {
		err = s.Write(&b)
	}
	if err == nil {
		err = os.WriteFile(path, b.Bytes(), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func loaded(t testing.TB, path string) *desk {
	t.Helper()
	o, err := opening.LoadSession(context.Background(), path, "", "", format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return desktop(t, o, "cpu")
}

// A session has its hierarchy inside, or beside it where that is large; one that is gone, cut, another or of other
// points is refused in words, and everything else is there.
func TestSessionsKeepTheTree(t *testing.T) {
	d := open(t, "demo:cytometry:400")
	h := d.clusterAll(t)
	d.Doc.Do("Cut", func(s *state.State) { d.Clusters().SetNumber(s, 5) })
	f, cut, _ := d.Clusters().Flat()
	same := func(o *desk) error {
		g := o.Clusters().Hierarchy()
		if g == nil {
			return fmt.Errorf("there is none: %s", o.Clusters().Why())
		}
		e, now, _ := o.Clusters().Flat()
		if !slices.Equal(g.Z, h.Z) || !slices.Equal(g.Linkage.Tree, h.Linkage.Tree) || now != cut ||
			!slices.Equal(e.Clusters, f.Clusters) || g.Share != 1 {
			return fmt.Errorf("it is another")
		}
		return nil
	}
	dir := t.TempDir()
	inside := filepath.Join(dir, "inside.blossom")
	d.saveTo(t, inside)
	if err := same(loaded(t, inside)); err != nil {
		t.Error("inside:", err)
	}
	if _, err := os.Stat(opening.TreeFile(inside)); err == nil {
		t.Error("a small tree has a file")
	}
	parts.TreeInside = 100
	defer func() { parts.TreeInside = 100_000 }()
	beside := filepath.Join(dir, "beside.blossom")
	d.saveTo(t, beside)
	o := loaded(t, beside)
	if err := same(o); err != nil {
		t.Error("beside:", err)
	}
	again := filepath.Join(t.TempDir(), "again.blossom")
	o.saveTo(t, again)
	if err := same(loaded(t, again)); err != nil {
		t.Error("saved elsewhere:", err)
	}
	file, err := os.ReadFile(opening.TreeFile(beside))
	if err != nil {
		t.Fatal(err)
	}
	other := open(t, "demo:cytometry:400")
	other.Doc.Do("Weight", func(s *state.State) {
		spec := parts.Transform.Of(*s).Clone()
		spec.Columns[spec.MapColumns()[0]].Weight = 3
		parts.Transform.Put(s, spec)
	})
	other.settle(t)
	foreign := filepath.Join(dir, "foreign.blossom")
	other.clusterAll(t)
	other.saveTo(t, foreign)
	strange, err := os.ReadFile(opening.TreeFile(foreign))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		put  func() error
		want string
	}{
		{"gone", func() error { return os.Remove(opening.TreeFile(beside)) }, "beside.tree.npy is not there"},
		{"cut", func() error { return os.WriteFile(opening.TreeFile(beside), file[:len(file)-9], 0o644) }, "is cut"},
		{"no tree", func() error { return os.WriteFile(opening.TreeFile(beside), []byte("hello"), 0o644) }, "no array"},
		{"of other data", func() error { return os.WriteFile(opening.TreeFile(beside), strange, 0o644) },
			"not the one"},
	} {
		if err := c.put(); err != nil {
			t.Fatal(err)
		}
		o := loaded(t, beside)
		if why := o.Clusters().Why(); !strings.Contains(why, c.want) || strings.Contains(why, "\n") {
			t.Errorf("%s: %q", c.name, why)
		}
		if _, _, err := o.Column("cluster"); err == nil || o.Clusters().Hierarchy() != nil {
			t.Errorf("%s: there are clusters all the same", c.name)
		}
		if v := parts.Clusters.Of(o.Doc.State()); v.Distance != cut.Height {
			t.Errorf("%s: the cut is lost: %+v", c.name, v)
		}
		o.clusterAll(t)
		if err := same(o); err != nil {
			t.Errorf("%s: computed anew: %v", c.name, err)
		}
	}
}

// A tree of other points, by its fingerprint, is refused also inside of a session.
func TestTreesOfOtherPointsAreRefused(t *testing.T) {
	d := open(t, "demo:cytometry:300")
	h := *d.clusterAll(t)
	h.Print++
	d.Doc.Always(func(s *state.State) { parts.Tree.Put(s, &h) })
	path := filepath.Join(t.TempDir(), "s.blossom")
	d.saveTo(t, path)
	o := loaded(t, path)
	if why := o.Clusters().Why(); o.Clusters().Hierarchy() != nil || !strings.Contains(why, "of other points") {
		t.Errorf("%q", why)
	}
}
