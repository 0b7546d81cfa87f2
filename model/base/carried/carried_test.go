package carried

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestAMessageIsFoundWhereverItStands(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		message := rapid.SliceOf(rapid.Byte()).Draw(t, "message")
		before := rapid.SliceOfN(rapid.Byte(), 0, 700_000).Draw(t, "before")
		after := rapid.SliceOf(rapid.Byte()).Draw(t, "after")
		file := bytes.Join([][]byte{before, []byte(beginning[:7]), []byte(Text(message)), after}, nil)
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
	text := Text(message)
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

func TestALargeMessageIsRefused(t *testing.T) {
	if _, err := In(context.Background(), strings.NewReader(Text(make([]byte, Most+1)))); !errors.Is(err, ErrLarge) {
		t.Errorf("%v", err)
	}
}
