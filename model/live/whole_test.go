package live

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"

	"blossom/model/data/fingerprint"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
)

// A large file is hashed as a whole beside the window, and a change that the sample does not see is told then.
func TestWholeHashBesideTheWindow(t *testing.T) {
	defer func(n int64) { opening.WholeAtOnce = n }(opening.WholeAtOnce)
	opening.WholeAtOnce = 0
	path := tableFile(t, filepath.Join(t.TempDir(), "t.csv"), 100_000)
	d := open(t, path)
	if d.Doc.Prints[path].Whole != "" {
		t.Fatal("a large file was read twice before the map was there")
	}
	told := ""
	d.Fingerprint(nil, func(path string) { told = path })
	d.settle(t)
	if p := d.Doc.Prints[path]; len(p.Whole) != 64 || told != "" {
		t.Fatalf("%+v, told of %q", p, told)
	}
	file := filepath.Join(t.TempDir(), "s.blossom")
	s, err := session.Of(d.Doc, file, "test", time.Unix(1e9, 0))
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Write(f), f.Close()); err != nil {
		t.Fatal(err)
	}
	// Unchanged, the session knows the hash, and nothing is read.
	again := func() *opening.Opened {
		o, err := opening.Load(context.Background(), []string{file}, format.Options{}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return o
	}
	if p := again().Doc.Prints[path]; p.Whole != d.Doc.Prints[path].Whole {
		t.Fatal("the whole hash is forgotten")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	was := d.Doc.Prints[path]
	for at := 100_000; ; at++ { // a digit that the sample does not see
		old := text[at]
		if old < '1' || old > '8' {
			continue
		}
		text[at]++
		if err := os.WriteFile(path, text, 0o644); err != nil {
			t.Fatal(err)
		}
		if p, err := fingerprint.Of(path); err != nil {
			t.Fatal(err)
		} else if p.Same(was) {
			break
		}
		text[at] = old
	}
	o := again()
	e := desktop(t, o, "cpu")
	e.Fingerprint(o.Saved, func(path string) { told = path })
	e.settle(t)
	if told != path {
		t.Fatal("nothing says that the data is another")
	}
	// A map that is closed reads no further.
	x := desktop(t, again(), "cpu")
	x.Fingerprint(nil, nil)
	x.Close()
	x.settle(t)
	if len(x.errors) > 0 || x.Doc.Prints[path].Whole != "" {
		t.Fatalf("%v", x.errors)
	}
}
