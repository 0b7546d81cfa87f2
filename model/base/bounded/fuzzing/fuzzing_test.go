package fuzzing

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// Inputs are the same with the same number, and differ from each other.
func TestInputsAreDamagedOnesOfSoundOnes(t *testing.T) {
	sound := [][]byte{[]byte("<a b='1.5'>text</a>"), bytes.Repeat([]byte{1, 0, 0, 0}, 8)}
	a, b := newMaker(rand.New(rand.NewPCG(1, 2)), sound), newMaker(rand.New(rand.NewPCG(1, 2)), sound)
	different := map[string]bool{}
	for range 5000 {
		x := a.next()
		if !bytes.Equal(x, b.next()) {
			t.Fatal("the same number makes other inputs")
		}
		if len(x) > a.most {
			t.Fatalf("%d bytes, of at most %d", len(x), a.most)
		}
		different[string(x)] = true
	}
	if len(different) < 4000 {
		t.Errorf("%d inputs of 5000 differ", len(different))
	}
	if !bytes.Equal(sound[0], []byte("<a b='1.5'>text</a>")) {
		t.Error("a sound input was changed")
	}
}

func TestEachInputIsTriedAndWhatIsNewIsGoneOnFrom(t *testing.T) {
	t.Setenv(Many, "3000")
	tried, long := 0, 0
	Try(t, [][]byte{[]byte("ab")}, 1, func(_ testing.TB, b []byte) string {
		tried++
		long = max(long, bytes.Count(b, []byte{'a'}))
		return string(bytes.Repeat([]byte{'a'}, bytes.Count(b, []byte{'a'}))) + " of 17"
	})
	if tried != 3001 || long < 20 {
		t.Errorf("%d tried, up to %d of a letter", tried, long)
	}
	var first, second bytes.Buffer
	t.Setenv(Many, "")
	for _, drawn := range []*bytes.Buffer{&first, &second} {
		Try(t, [][]byte{[]byte("abcdef")}, 200, func(_ testing.TB, b []byte) string {
			drawn.Write(b)
			return ""
		})
	}
	if first.Len() == 0 || !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("where nobody asks for many, other inputs are tried each time")
	}
	if got := without(`row 12 of "a7"!`); got != "row  of \"!" {
		t.Errorf("%q", got)
	}
}
