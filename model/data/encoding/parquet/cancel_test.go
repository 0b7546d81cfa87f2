package parquet

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/parquet-go/parquet-go"
)

// unwanted is a file that nobody wants any more once its values are looked at.
type unwanted struct {
	io.ReaderAt
	values int64 // where they end
	cancel func()
}

func (u *unwanted) ReadAt(to []byte, at int64) (int, error) {
	if at > 0 && at < u.values {
		u.cancel()
	}
	return u.ReaderAt.ReadAt(to, at)
}

// Looking for how long the lists of a file are ends when nobody wants it any more.
func TestOpeningIsCancelled(t *testing.T) {
	type row struct {
		Vector []float32 `parquet:"vector,list"`
	}
	var b bytes.Buffer
	w := parquet.NewGenericWriter[row](&b)
	if _, err := w.Write(make([]row, 5000)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f, err := Open(context.Background(), bytes.NewReader(b.Bytes()), int64(b.Len()), 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	chunk := f.footer.groups[0].chunks[0]
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	r := &unwanted{ReaderAt: bytes.NewReader(b.Bytes()), values: chunk.start + chunk.size, cancel: cancel}
	if _, err := Open(ctx, r, int64(b.Len()), 1<<30); !errors.Is(err, context.Canceled) {
		t.Errorf("it goes on: %v", err)
	}
}
