package recovery

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/model/landmarks/landmark"
	"blossom/model/space/transform"
)

// document is a small one, whose speed of training tells one save from another.
func document(t testing.TB, path string, speed float64) *state.Document {
	t.Helper()
	ds, err := dataset.FromColumns(context.Background(), "d.csv", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3, 4}}, {Name: "b", Values: []float32{5, 3, 8, 1}}})
	if err != nil {
		t.Fatal(err)
	}
	ds.Path = path
	l, err := landmark.New(matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0.1, 1e-30, 3e7, -4, 5, 6}},
		matrix.Matrix32{Rows: 3, Cols: 2, Data: []float32{0, 0, 1, 0, 0.3, -1}})
	if err != nil {
		t.Fatal(err)
	}
	var now state.State
	parts.Transform.Put(&now, transform.Default(ds))
	l.Space = parts.Transform.Rev(now)
	parts.Landmarks.Put(&now, l)
	parts.Training.Put(&now, parts.TrainingChoice{Algorithm: "kmeans", Speed: speed})
	parts.Looks.Put(&now, parts.LookTable{parts.FirstView: parts.DefaultLook()})
	return state.New(ds, "d", 42, now)
}

// speedIn is what tells one save from another.
func speedIn(t testing.TB, path string) float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	s, err := session.Read(f, path)
	if err != nil {
		t.Fatal(err)
	}
	d := document(t, "demo:x", 0)
	d, _, err = s.Document(d.Data, path)
	if err != nil {
		t.Fatal(err)
	}
	return parts.Training.Of(d.State()).Speed
}

func save(t testing.TB, s *Slot, speed float64, about About) {
	t.Helper()
	if about.Name == "" {
		about.Name = "mine"
	}
	if err := s.Save(document(t, "demo:x", speed), about, "blossom test", time.Unix(1e9+int64(speed), 0)); err != nil {
		t.Fatal(err)
	}
}

func claim(t testing.TB, store *Store) *Slot {
	t.Helper()
	s, err := store.Claim()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Release)
	return s
}

func list(t testing.TB, store *Store) []Item {
	t.Helper()
	out, err := store.List(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func names(items []Item) (out []string) {
	for _, i := range items {
		out = append(out, i.Name)
	}
	return out
}

func TestASlotIsListedWithAllThatAPersonNeeds(t *testing.T) {
	store := In(t.TempDir())
	if got := list(t, store); len(got) != 0 {
		t.Fatalf("a store that is not there has %v", got)
	}
	mine := filepath.Join(t.TempDir(), "mine.blossom")
	if err := os.WriteFile(mine, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	at := time.Unix(1e9-720, 0)
	if err := os.Chtimes(mine, at, at); err != nil {
		t.Fatal(err)
	}
	s := claim(t, store)
	var p Picture
	p.Add(0.25, 1, 1, 2, 3)
	save(t, s, 1, About{Name: "mine", Session: mine, Changed: true, Landmarks: 3, Things: "cells", Picture: p})
	i := list(t, store)[0]
	if !i.Held || i.Crashed() {
		t.Fatal("a held slot is not known as held")
	}
	s.Release()
	i = list(t, store)[0]
	x, y, r, g, b := i.Picture.At(0)
	if i.Held || !i.Crashed() || i.Name != "mine" || i.Points != 4 || i.Landmarks != 3 || i.Size < 300 ||
		!i.At.Equal(time.Unix(1e9+1, 0)) || !i.SessionAt.Equal(at) || !slices.Equal(i.Data, []string{"demo:x"}) ||
		i.Picture.Len() != 1 || x < 0.2499 || x > 0.2501 || y != 1 || r != 1 || g != 2 || b != 3 || i.Damage != "" {
		t.Fatalf("%+v", i)
	}
	if speedIn(t, i.Path) != 1 {
		t.Fatal("another session")
	}
}

// Forgetting one leaves all others, and what a window has open cannot be forgotten.
func TestForgetOne(t *testing.T) {
	store := In(t.TempDir())
	for speed := range 3 {
		s := claim(t, store)
		save(t, s, float64(speed+1), About{Name: string(rune('a' + speed))})
		s.Release()
	}
	open := claim(t, store)
	save(t, open, 9, About{Name: "open"})
	items := list(t, store)
	if got := names(items); !slices.Equal(got, []string{"c", "b", "a", "open"}) {
		t.Fatal(got)
	}
	if err := store.Forget(items[3]); err != ErrHeld {
		t.Fatalf("what is open was forgotten: %v", err)
	}
	if err := store.Forget(items[1]); err != nil {
		t.Fatal(err)
	}
	if got := names(list(t, store)); !slices.Equal(got, []string{"c", "a", "open"}) {
		t.Fatal(got)
	}
	if err := store.Forget(items[1]); err != nil {
		t.Fatal("forgetting what is forgotten:", err)
	}
	save(t, open, 10, About{Name: "open"}) // and it goes on
}

// Where the newest save is damaged the one before is offered, and forgetting goes by the item, not by the save.
func TestDamagedNewest(t *testing.T) {
	for name, spoil := range map[string]func([]byte) []byte{
		"empty":     func([]byte) []byte { return nil },
		"zeros":     func(b []byte) []byte { return make([]byte, len(b)) },
		"cut short": func(b []byte) []byte { return b[:len(b)/2] },
		"a digit of a landmark": func(b []byte) []byte {
			number := binary.LittleEndian.AppendUint32(nil, math.Float32bits(3e7))
			if !bytes.Contains(b, number) {
				t.Fatalf("no landmark in %s", b)
			}
			return bytes.ReplaceAll(b, number, binary.LittleEndian.AppendUint32(nil, math.Float32bits(4e7)))
		},
		"other data": func(b []byte) []byte { return bytes.ReplaceAll(b, []byte("demo:x"), []byte("demo:y")) },
	} {
		store := In(t.TempDir())
		s := claim(t, store)
		for speed := 1.; speed <= 5; speed++ {
			save(t, s, speed, About{})
		}
		if n := len(saves(s.dir)); n != kept {
			t.Fatalf("%d saves are kept", n)
		}
		s.Release()
		text, err := os.ReadFile(s.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(s.Path(), spoil(text), 0o644); err != nil {
			t.Fatal(err)
		}
		i := list(t, store)[0]
		if i.Path == "" || speedIn(t, i.Path) != 4 || !strings.Contains(i.Damage, "one before") {
			t.Errorf("%s: %+v", name, i)
			continue
		}
		// Going on from it does not delete it before there are two good saves again.
		again, err := store.Take(i.Path)
		if err != nil {
			t.Fatal(err)
		}
		save(t, again, 6, About{})
		if _, err := os.Stat(i.Path); err != nil {
			t.Errorf("%s: the good save went first", name)
		}
		save(t, again, 7, About{})
		again.Release()
		if i := list(t, store)[0]; speedIn(t, i.Path) != 7 || i.Damage != "" {
			t.Errorf("%s: %+v", name, i)
		}
	}
}

// A file whose name is no UTF-8, as of an old archive, makes no save look damaged.
func TestNameOfAnotherEncoding(t *testing.T) {
	store := In(t.TempDir())
	slot := claim(t, store)
	defer slot.Release()
	d := document(t, filepath.Join(t.TempDir(), "M\xfcnchen.csv"), 1)
	if err := slot.Save(d, About{Name: "M"}, "blossom test", time.Unix(1e9, 0)); err != nil {
		t.Fatal(err)
	}
	items, err := store.List(t.Context())
	if err != nil || len(items) != 1 || items[0].Damage != "" || items[0].Path == "" {
		t.Errorf("%+v, %v", items, err)
	}
}

// Damage to a part that a session can do without is said, and costs no more than that part; with an older save that is
// whole, that is what is offered.
func TestDamagedColoursCostNoMap(t *testing.T) {
	store := In(t.TempDir())
	s := claim(t, store)
	save(t, s, 1, About{})
	s.Release()
	text, err := os.ReadFile(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	spoiled := bytes.Clone(text)
	spoiled[bytes.Index(text, []byte("parts/looks.json"))+20] ^= 1
	if err := os.WriteFile(s.Path(), spoiled, 0o644); err != nil {
		t.Fatal(err)
	}
	i := list(t, store)[0]
	if i.Path == "" || !strings.HasSuffix(i.Damage, "damaged, the rest is whole") || speedIn(t, i.Path) != 1 {
		t.Fatalf("%+v", i)
	}
}

// Saves that a version before containers has made are listed, and their damage known.
func TestSavesOfTheSecondVersion(t *testing.T) {
	text, err := os.ReadFile("testdata/second.blossom")
	if err != nil {
		t.Fatal(err)
	}
	for damage, spoil := range map[string]string{
		"":                                     "",
		"colours damaged, the rest is whole":   `"Opacity":`,
		"it is damaged and cannot be read":     `"codebook": [`,
		"training damaged, the rest is whole":  `"speed":`,
		"it is damaged and cannot be read now": `"points":`,
	} {
		store := In(t.TempDir())
		s := claim(t, store)
		s.Release()
		now := text
		if spoil != "" {
			if now = bytes.Replace(text, []byte(spoil), []byte(spoil+"1"), 1); bytes.Equal(now, text) {
				now = bytes.Replace(text, []byte(spoil[:len(spoil)-2]), []byte(`"x`), 1)
			}
		}
		if err := os.WriteFile(s.save(1), now, 0o644); err != nil {
			t.Fatal(err)
		}
		i := list(t, store)[0]
		if i.Damage != strings.TrimSuffix(damage, " now") {
			t.Errorf("%s: %+v", damage, i)
			continue
		}
		if i.Path != "" && (i.Name != "of before" || i.Landmarks != 3 || spoil == "" && speedIn(t, i.Path) != 5) {
			t.Errorf("%s: %+v", damage, i)
		}
		again, err := store.Take(s.save(1))
		if err != nil {
			t.Fatal(err)
		}
		save(t, again, 6, About{})
		again.Release()
		if i := list(t, store)[0]; speedIn(t, i.Path) != 6 || i.Damage != "" {
			t.Errorf("%s: it does not go on: %+v", damage, i)
		}
	}
}

// A save that cannot be read at all is listed too, and can be forgotten.
func TestNothingReadable(t *testing.T) {
	store := In(t.TempDir())
	s := claim(t, store)
	save(t, s, 1, About{})
	s.Release()
	if err := os.WriteFile(s.Path(), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	i := list(t, store)[0]
	if i.Path != "" || i.Damage == "" || i.At.IsZero() {
		t.Fatalf("%+v", i)
	}
	if err := store.Forget(i); err != nil || len(list(t, store)) != 0 {
		t.Fatal(err)
	}
}

// Two cannot have one slot; a third that only looks disturbs nobody.
func TestASlotHasOneHolder(t *testing.T) {
	store := In(t.TempDir())
	s := claim(t, store)
	save(t, s, 1, About{})
	if _, err := store.Take(s.Path()); err != ErrHeld {
		t.Fatal(err)
	}
	s.Release()
	again, err := store.Take(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer again.Release()
	for range 2 {
		if !list(t, store)[0].Held {
			t.Fatal("looking lets go of it")
		}
	}
	save(t, again, 2, About{})
	if n := filepath.Base(again.Path()); n != "00000002.blossom" {
		t.Fatalf("went on as %s", n)
	}
}

// A closing window looks for no data, which may be on a disk that does not answer.
func TestTidyLeavesDataAlone(t *testing.T) {
	store := In(t.TempDir())
	slot := claim(t, store)
	save(t, slot, 1, About{Closed: true})
	slot.Release()
	looked := 0
	look = func(s *session.Session, path string) (found, missing []string) {
		looked++
		return s.Find(path)
	}
	defer func() { look = (*session.Session).Find }()
	if err := store.Tidy(t.Context()); err != nil || looked > 0 {
		t.Errorf("looked for data %d times, %v", looked, err)
	}
	if i := list(t, store)[0]; len(i.Data) != 1 || looked != 1 {
		t.Errorf("the list does not tell of the data: %+v", i)
	}
}

// Closed sessions go by their number, those of a crash only by their name.
func TestTidyKeepsWhatWasNotNamed(t *testing.T) {
	store := In(t.TempDir())
	put := func(n int, about About) {
		for speed := range n {
			s := claim(t, store)
			save(t, s, float64(speed), about)
			s.Release()
		}
	}
	put(25, About{Name: "closed with work", Closed: true, Changed: true})
	put(3, About{Name: "closed without", Closed: true})
	put(3, About{Name: "crashed without"})
	put(30, About{Name: "crashed", Changed: true})
	empty := filepath.Join(store.slots(), "empty")
	if err := os.Mkdir(empty, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := store.Tidy(context.Background()); err != nil {
		t.Fatal(err)
	}
	n := map[string]int{}
	for _, i := range list(t, store) {
		n[i.Name]++
		if i.Name != "crashed" && i.At.Unix() < 1e9+2 {
			t.Errorf("%s: an old one is kept, not a new one", i.Name)
		}
	}
	if n["closed with work"] != keepChanged || n["crashed"] != 30 ||
		n["closed without"]+n["crashed without"] != keepUnchanged {
		t.Fatal(n)
	}
	if _, err := os.Stat(empty); err != nil {
		t.Fatal("a slot that is being made has gone")
	}
}

// A state folder that is a file is said, with a remedy.
func TestTheFolderIsAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := In(path).Claim(); problem.As(err).Remedy == "" || problem.As(err).File == "" {
		t.Fatalf("%v", err)
	}
	if _, err := In(path).List(context.Background()); problem.As(err).Remedy == "" {
		t.Fatalf("%v", err)
	}
}

// Sessions of versions that named files by process numbers are listed, also of a number that is in use again, as in a
// container always 1, or as that of this very process.
func TestSessionsOfOldVersionsAreListed(t *testing.T) {
	dir := t.TempDir()
	store := In(dir)
	var all []string
	for _, pid := range []int{1, os.Getpid(), os.Getppid(), 999999999} {
		path := filepath.Join(dir, oldRunning+itoa(pid)+session.Extension)
		d := document(t, "demo:x", float64(pid))
		s, err := session.Of(d, path, "blossom 0.2", time.Unix(int64(1e9+len(all)), 0))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		if err := s.Write(&b); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
		all = append(all, path)
	}
	items := list(t, store)
	if len(items) != 4 {
		t.Fatalf("%d of 4 are listed", len(items))
	}
	for k, i := range items {
		if i.Held || !i.Crashed() || i.Path != all[3-k] || i.Points != 4 || !store.IsOld(i.Path) {
			t.Errorf("%+v", i)
		}
	}
	if err := store.Forget(items[0]); err != nil {
		t.Fatal(err)
	}
	if got := list(t, store); len(got) != 3 || got[0].ID != items[1].ID {
		t.Fatal("another one was forgotten")
	}
}
