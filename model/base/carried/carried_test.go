package carried

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/base64"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func textOf(t interface{ Fatal(args ...any) }, message []byte) string {
	text, err := Text(message)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAMessageIsFoundWhereverItStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		before := rapid.SliceOfN(rapid.Byte(), 0, 700_000).Draw(t, "before")
		after := rapid.SliceOf(rapid.Byte()).Draw(t, "after")
		file := bytes.Join([][]byte{before, []byte(beginning[:7]), []byte(textOf(t, message)), after}, nil)
		var r io.Reader = bytes.NewReader(file)
		if rapid.Bool().Draw(t, "halting") {
			r = iotest.HalfReader(r)
		}
		got, err := In(context.Background(), r)
		if err != nil || !bytes.Equal(got, message) {
			t.Fatalf("%d bytes came back as %d (%v)", len(message), len(got), err)
		}
	})
}

func TestADamagedMessageIsRefused(t *testing.T) {
	message := []byte(strings.Repeat("a job ", 500))
	text := textOf(t, message)
	for i := len(beginning); i < len(text)-len(end); i++ {
		other := byte('A')
		if text[i] == other {
			other = 'B'
		}
		got, err := In(context.Background(), strings.NewReader(text[:i]+string(other)+text[i+1:]))
		if !errors.Is(err, ErrDamaged) && !bytes.Equal(got, message) { // bits that fill up the last letter say nothing
			t.Fatalf("with letter %d changed: %d bytes, %v", i, len(got), err)
		}
		if _, err := In(context.Background(), strings.NewReader(text[:i])); !errors.Is(err, ErrDamaged) {
			t.Fatalf("cut at %d: %v", i, err)
		}
	}
}

func TestAFileWithoutAMessageSaysSo(t *testing.T) {
	for _, file := range []string{"", "blossom", beginning[:len(beginning)-1], strings.Repeat("x", 1<<20)} {
		if _, err := In(context.Background(), strings.NewReader(file)); !errors.Is(err, ErrNone) {
			t.Errorf("%.20q: %v", file, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := In(ctx, strings.NewReader("x")); !errors.Is(err, context.Canceled) {
		t.Errorf("after a cancel: %v", err)
	}
}

// A message that could not be read is not written, and the largest that is written is read.
func TestALargeMessageIsRefused(t *testing.T) {
	if text, err := Text(make([]byte, Most+1)); !errors.Is(err, ErrLarge) || text != "" {
		t.Errorf("%d letters, %v", len(text), err)
	}
	largest := make([]byte, Most)
	text := textOf(t, largest)
	if got, err := In(t.Context(), strings.NewReader(text)); err != nil || !bytes.Equal(got, largest) {
		t.Errorf("the largest came back as %d bytes, %v", len(got), err)
	}
	var z bytes.Buffer
	z.Write(make([]byte, 4))
	w := zlib.NewWriter(&z)
	_, err := w.Write(make([]byte, Most+1))
	if err = errors.Join(err, w.Close()); err != nil {
		t.Fatal(err)
	}
	foreign := beginning + base64.RawURLEncoding.EncodeToString(z.Bytes()) + end
	if _, err := In(t.Context(), strings.NewReader(foreign)); !errors.Is(err, ErrLarge) {
		t.Errorf("a larger one of another program: %v", err)
	}
}
