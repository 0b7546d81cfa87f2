package opening

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/document/state"
)

// kept is a document of some rows of a file that was put aside.
func kept(t *testing.T, rows int) *Kept {
	t.Helper()
	path := filepath.Join(t.TempDir(), "t.csv")
	var b strings.Builder
	b.WriteString("a,b\n")
	for i := range rows {
		fmt.Fprintf(&b, "%d,%d\n", i%17, i*i%23)
	}
	if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	o, err := Load(t.Context(), []string{path}, format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return Keep(o, "", state.Stamp{}, time.Time{})
}

// Where memory is short the data is let go, and read again when the document is taken up.
func TestDataIsLetGo(t *testing.T) {
	k := kept(t, 300)
	(&Shelf{Free: func() int64 { return 0 }}).Put(k)
	if k.doc.Data != nil || k.Bytes() != 0 {
		t.Fatal("the data is still there")
	}
	o, err := k.Open(t.Context(), "", "", format.Options{}, nil)
	if err != nil || o.Doc.Data.Points != 300 || k.doc.Data != nil {
		t.Fatalf("%+v: %v", o, err)
	}
}

// Memory may be needed while a document is being taken up again: for the race detector.
func TestLetGoWhileReopened(t *testing.T) {
	k := kept(t, 500)
	k.table = nil // is made again, which takes a while
	done := make(chan error)
	go func() {
		o, err := k.Open(t.Context(), "", "", format.Options{}, nil)
		if err == nil && o.Doc.Data.Points != 500 {
			err = errors.New("it is not what it was")
		}
		done <- err
	}()
	k.shrink()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
