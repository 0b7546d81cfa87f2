package live

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/maps/selection"
	"blossom/model/space/transform"
)

// stained writes tables of 200 cells under these headers.
func stained(t *testing.T, headers ...string) (paths []string) {
	t.Helper()
	dir := t.TempDir()
	for f, header := range headers {
		text := header + "\n"
		for i := range 200 {
			for c := range strings.Count(header, ",") + 1 {
				if c > 0 {
					text += ","
				}
				text += fmt.Sprintf("%.3f", float64((i*(c+3)+7*f)%97)+0.25*float64(i%(c+2)))
			}
			text += "\n"
		}
		path := filepath.Join(dir, string(rune('a'+f))+".csv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		paths = append(paths, path)
	}
	return paths
}

func inMap(o *opening.Opened) (out []string) {
	for _, c := range parts.Transform.Of(o.Doc.State()).MapColumns() {
		out = append(out, o.Doc.Data.Columns[c].Short())
	}
	return out
}

// Files whose columns are in doubt are a question; its answer is in the session, which asks no more.
func TestMatchingIsAskedBeforeOpening(t *testing.T) {
	paths := stained(t, "PE-A :: NK1/1,FITC-A :: CD4,APC-A :: CD3", "PE-A :: CD33,APC-A :: CD4,FITC-A :: CD3")
	_, err := opening.Load(t.Context(), paths, format.Options{}, nil)
	var u *opening.Undecided
	if !errors.As(err, &u) || !strings.Contains(err.Error(), "NK1/1 and CD33") || len(u.Plan.Doubtful()) != 1 {
		t.Fatal(err)
	}
	u.Plan = match.New(u.Plan.Files, u.Plan.Settled())
	o, err := u.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := inMap(o); !slices.Equal(got, []string{"CD4", "CD3"}) || o.Doc.Data.Points != 400 {
		t.Errorf("%q of %d", got, o.Doc.Data.Points)
	}
	path := filepath.Join(filepath.Dir(paths[0]), "s.blossom")
	made, err := session.Of(o.Doc, path, "test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := made.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := opening.Load(t.Context(), []string{path}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := inMap(again); !slices.Equal(got, []string{"CD4", "CD3"}) || len(again.Doc.Sampling.Match.Own) == 0 ||
		len(again.Notes) > 0 {
		t.Errorf("%q, %+v, %q", got, again.Doc.Sampling.Match, again.Notes)
	}
}

// Another file beside those that are open: the map stays, where its columns are called by antigens now that were called
// by detectors, and a column that was taken out of it stays out.
func TestAFileIsAdded(t *testing.T) {
	paths := stained(t, "PE-A :: NK1/1,FITC-A :: CD4,APC-A :: CD3,V450-A :: CD8",
		"PE-A :: NK1.1,APC-A :: CD4,FITC-A :: CD3,V450-A :: CD8")
	o, err := opening.Load(t.Context(), paths[:1], format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	spec := parts.Transform.Of(o.Doc.State()).Clone()
	spec.Columns[3].Use = transform.ColourOnly
	spec.Columns[1] = spec.Columns[1].With(transform.Asinh, transform.Params{7})
	table, err := transform.Build(t.Context(), o.Doc.Data, spec, o.Table.Order, nil)
	if err != nil {
		t.Fatal(err)
	}
	l := *parts.Landmarks.Of(o.Doc.State())
	l.Codebook, l.CodeRev = transform.Carry(o.Table, table, l.Codebook, matrix.Matrix32{}), revision.Next()
	o.Doc.Always(func(s *state.State) {
		parts.Transform.Put(s, spec)
		l.Space = parts.Transform.Rev(*s)
		parts.Landmarks.Put(s, &l)
	})
	u, err := opening.Compare(t.Context(), paths, match.How{}, o.Doc, format.Options{}, nil)
	if err != nil || !u.Clear() {
		t.Fatal(u, err)
	}
	now, err := u.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := inMap(now); !slices.Equal(got, []string{"NK1/1", "CD4", "CD3"}) || now.Doc.Data.Points != 400 {
		t.Fatalf("%q of %d", got, now.Doc.Data.Points)
	}
	was, is := parts.Landmarks.Of(o.Doc.State()), parts.Landmarks.Of(now.Doc.State())
	if !slices.Equal(was.Codebook.Data, is.Codebook.Data) || !slices.Equal(was.Pos.Data, is.Pos.Data) {
		t.Error("the landmarks have moved")
	}
	at, err := now.Doc.Data.Find("CD4")
	if err != nil || parts.Transform.Of(now.Doc.State()).Columns[at].String() != "asinh:7" {
		t.Errorf("%v, %v", parts.Transform.Of(now.Doc.State()).Columns, err)
	}
	// And without it again; then with a column that is ticked.
	u, err = opening.Compare(t.Context(), paths, match.How{}, now.Doc, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	u = u.Without(1)
	row := slices.IndexFunc(u.Plan.Rows, func(r match.Row) bool { return r.Title() == "CD8" })
	u.Plan = match.New(u.Plan.Files, u.Plan.Tick(row, true))
	if now, err = u.Open(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	if got := inMap(now); len(got) != 4 || now.Doc.Data.Points != 200 ||
		parts.Landmarks.Of(now.Doc.State()).Codebook.Cols != 4 || !parts.Settled(now.Doc.State()) {
		t.Errorf("%q of %d", got, now.Doc.Data.Points)
	}
}

// A table that was read as the user said is read so again with another file beside it.
func TestAFileIsAddedToATextReadAsAsked(t *testing.T) {
	dir := t.TempDir()
	var paths []string
	for _, name := range []string{"a.csv", "b.csv"} {
		text := "x;y\n"
		for i := range 60 {
			text += fmt.Sprintf("%d,%03d;%d\n", i%7+1, (37*i)%1000, i)
		}
		paths = append(paths, filepath.Join(dir, name))
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	asked := dataset.Reading{Decimal: ",", Missing: []string{"3"}}
	o, err := opening.Load(t.Context(), paths[:1], format.Options{Seed: 3, Reading: asked}, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := opening.Compare(t.Context(), paths, match.How{}, o.Doc, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	now, err := u.Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	was, is := &o.Doc.Data.Columns[1], &now.Doc.Data.Columns[1]
	if was.Stats.Invalid != 1 || is.Stats.Invalid != 2 || !now.Doc.Data.Reading.Equal(asked) {
		t.Errorf("%d cells have no value, then %d; read as %+v", was.Stats.Invalid, is.Stats.Invalid,
			now.Doc.Data.Reading)
	}
}

// A sample of several files, one of which is left out, is in its session what was opened.
func TestAFileOfASampleIsLeftOut(t *testing.T) {
	paths := stained(t, "x,y,z", "x,y,z", "x,y,z")
	u, err := opening.Compare(t.Context(), paths, match.How{}, nil, format.Options{MaxPoints: 150, Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := u.Without(2).Open(t.Context(), nil)
	if err != nil || o.Doc.Data.Points != 100 {
		t.Fatal(o, err)
	}
	path := filepath.Join(filepath.Dir(paths[0]), "s.blossom")
	made, err := session.Of(o.Doc, path, "test", time.Now())
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := made.Write(&text); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	again, err := opening.Load(t.Context(), []string{path}, format.Options{}, nil)
	if err != nil || again.Doc.Data.Points != 100 {
		t.Fatal(again, err)
	}
	if !slices.Equal(again.Doc.Data.Columns[0].Values, o.Doc.Data.Columns[0].Values) {
		t.Error("other points were opened")
	}
}

// A sample to which a file is added has as many other points: none of them was selected.
func TestAFileIsAddedToASample(t *testing.T) {
	paths := stained(t, "x,y,z", "x,y,z")
	sample := format.Options{MaxPoints: 100, Seed: 3}
	o, err := opening.Load(t.Context(), paths[:1], sample, nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Doc.Always(func(s *state.State) { parts.Selection.Put(s, selection.FromBits(100, []uint64{6, 1})) })
	u, err := opening.Compare(t.Context(), paths, match.How{}, o.Doc, sample, nil)
	if err != nil {
		t.Fatal(err)
	}
	now, err := u.Open(t.Context(), nil)
	if err != nil || now.Doc.Data.Points != 100 {
		t.Fatal(now, err)
	}
	if s := parts.Selection.Of(now.Doc.State()); !s.Empty() {
		t.Errorf("%d points are selected", s.Count())
	}
}

// A session from before columns were matched takes the columns of one name that all files have.
func TestOldSessionsMatchByName(t *testing.T) {
	d := session.Data{More: []session.Place{{Path: "b.csv"}}}
	if m := d.Matching(); m.By != match.Name || !m.Common {
		t.Errorf("%+v", m)
	}
}
