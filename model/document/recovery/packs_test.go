package recovery

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/base/revision"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

// reopened is the document of the newest save.
func reopened(t *testing.T, s *Slot) *state.Document {
	t.Helper()
	f, err := os.Open(s.Path())
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := session.Read(f, s.Path())
	if err != nil {
		t.Fatal(err)
	}
	d, notes, err := r.Document(document(t, "demo:x", 0).Data, s.Path())
	if err != nil || len(notes) > 0 {
		t.Fatal(err, notes)
	}
	return d
}

func train(d *state.Document, by float32) {
	parts.StartTraining(d, "Train")
	l := *parts.Landmarks.Of(d.State())
	l.Codebook, l.CodeRev = l.Codebook.Clone(), revision.Next()
	l.Codebook.Data[0] += by
	parts.Trained(d, &l)
}

// onDisk is the packs of a slot, and the bytes of all of it.
func onDisk(t *testing.T, s *Slot) (packs int, bytes int64) {
	t.Helper()
	list, err := os.ReadDir(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range list {
		if strings.HasSuffix(e.Name(), packExtension) {
			packs++
		}
		info, _ := e.Info()
		bytes += info.Size()
	}
	return packs, bytes
}

// A session that saves itself again and again keeps its whole history, in few files, and writes what is new.
func TestTheHistoryIsSavedInPacks(t *testing.T) {
	store := In(t.TempDir())
	s := claim(t, store)
	d := document(t, "demo:x", 1)
	written := int64(0)
	for i := range 100 {
		if i == 50 { // another window goes on with it
			d = reopened(t, s)
			path := s.Path()
			s.Release()
			var err error
			if s, err = store.Take(path); err != nil {
				t.Fatal(err)
			}
			defer s.Release()
		}
		train(d, 1)
		if i%10 == 9 {
			d.Undo()
			d.Undo()
		}
		if err := s.Save(d.Snapshot(d.State()), About{}, "test", time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
		newest, _ := filepath.Glob(filepath.Join(s.dir, "*"+packExtension))
		info, _ := os.Stat(newest[len(newest)-1])
		written += info.Size()
		if packs, _ := onDisk(t, s); packs > 12 {
			t.Fatalf("%d packs after %d saves", packs, i+1)
		}
	}
	e := reopened(t, s)
	if a, b := d.History().Entries(), e.History().Entries(); len(a) != 101 || len(b) != len(a) {
		t.Fatalf("%d entries of %d", len(b), len(a))
	}
	for _, entry := range d.History().Entries() {
		a, _ := d.StateAt(entry.ID)
		b, ok := e.StateAt(entry.ID)
		if x, y := parts.Landmarks.Of(a), parts.Landmarks.Of(b); !ok || x.Codebook.Data[0] != y.Codebook.Data[0] {
			t.Fatalf("at %d the code is %g, and was %g", entry.ID, y.Codebook.Data[0], x.Codebook.Data[0])
		}
	}
	packs, bytes := onDisk(t, s)
	if one := int64(100 * 350); written > 12*one || bytes > 8*one {
		t.Fatalf("%d packs, %d bytes are there, %d were written", packs, bytes, written)
	}
	t.Logf("%d packs, %d bytes are there, %d were written", packs, bytes, written)
}

// Packs that are gone or damaged cost the history that was in them, and no more; the next save has all again.
func TestDamagedPacks(t *testing.T) {
	for name, spoil := range map[string]func(path string) error{
		"cut short": func(path string) error { return os.Truncate(path, 10) }, "deleted by hand": os.Remove,
	} {
		t.Run(name, func(t *testing.T) { damagedPacks(t, spoil) })
	}
}

func damagedPacks(t *testing.T, spoil func(path string) error) {
	store := In(t.TempDir())
	s := claim(t, store)
	d := document(t, "demo:x", 1)
	for range 5 {
		train(d, 1)
		if err := s.Save(d.Snapshot(d.State()), About{}, "test", time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	packs, _ := filepath.Glob(filepath.Join(s.dir, "*"+packExtension))
	for _, p := range packs {
		if err := spoil(p); err != nil {
			t.Fatal(err)
		}
	}
	i := list(t, store)[0]
	if i.Path == "" || i.Damage != "" {
		t.Fatalf("%+v", i)
	}
	f, err := os.Open(i.Path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := session.Read(f, i.Path)
	if err != nil {
		t.Fatal(err)
	}
	e, notes, err := r.Document(d.Data, i.Path)
	if err != nil || len(notes) != 1 || !strings.Contains(notes[0], "history has lost") {
		t.Fatal(err, notes)
	}
	if l := parts.Landmarks.Of(e.State()); l.Codebook.Data[0] != parts.Landmarks.Of(d.State()).Codebook.Data[0] {
		t.Fatal("another map")
	}
	for range 3 { // the next save finds out
		train(d, 1)
		if err := s.Save(d.Snapshot(d.State()), About{}, "test", time.Unix(1e9, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(reopened(t, s).History().Entries()); n != 9 {
		t.Fatalf("%d entries of 9", n)
	}
}
