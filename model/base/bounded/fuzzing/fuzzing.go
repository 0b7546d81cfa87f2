// Package fuzzing makes damaged inputs of sound ones, for tests of what reads files of unknown origin. It looks at no
// coverage, so that an input costs little more than reading it: millions are tried in minutes, where Go's own fuzzing
// tries thousands. Instead it goes on from inputs of which something was said that was said of none before.
package fuzzing

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"testing"
	"time"
)

// Many is the variable that says how many inputs each test tries, instead of the few that it tries otherwise.
const Many = "BLOSSOM_FUZZ"

// Seed is the variable that says with what number the inputs are drawn. Where it is not said, it is drawn itself if
// Many is set, and else always the same, so that a test says the same of the same program.
const Seed = "BLOSSOM_FUZZ_SEED"

// Limits of a single input. The time is so long that only what hangs takes it, on any machine.
const (
	mostBytes = 1 << 30
	mostTime  = 2 * time.Minute
)

// mostSaid is how many sentences are remembered: where names of an input stand in them, there is no end to them.
const mostSaid = 1 << 16

// Target is a fuzz target of any bytes, for Go's guided fuzzing, from sound inputs. Where it runs as a test, it is Try.
func Target(f *testing.F, sound [][]byte, few int, try func(t testing.TB, input []byte) (says string)) {
	f.Helper()
	if guided := flag.Lookup("test.fuzz"); guided == nil || guided.Value.String() == "" {
		Try(f, sound, few, try)
	}
	for _, b := range sound {
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) { try(t, b) })
}

// Texts are sound inputs that are texts.
func Texts(texts ...string) (out [][]byte) {
	for _, text := range texts {
		out = append(out, []byte(text))
	}
	return out
}

// Try damages the sound inputs in one way after the other and has each tried. What try returns says what became of
// the input, say its error and the kinds of its columns. An input that makes try fail, panic, hang or take more than
// a gigabyte is kept as a file, and the test names it.
func Try(t testing.TB, sound [][]byte, few int, try func(t testing.TB, input []byte) (says string)) {
	t.Helper()
	n, seed := few, uint64(1)
	if testing.Short() {
		n /= 4
	}
	if v, err := strconv.Atoi(os.Getenv(Many)); err == nil {
		n, seed = v, rand.Uint64()
	}
	if v, err := strconv.ParseUint(os.Getenv(Seed), 10, 64); err == nil {
		seed = v
	}
	t.Logf("%s=%d", Seed, seed)
	m := newMaker(rand.New(rand.NewPCG(seed, 0)), sound)
	said := map[string]bool{}
	for _, b := range sound {
		said[without(judged(t, b, try))] = true
	}
	start := time.Now()
	for i := range n {
		b := m.next()
		if says := without(judged(t, b, try)); !said[says] && len(said) < mostSaid {
			said[says] = true
			m.goOnFrom(b)
		}
		if i%1_000_000 == 999_999 {
			t.Logf("%d inputs, %d that differ in what is said of them, %v", i+1, len(said), time.Since(start))
		}
	}
	t.Logf("%d inputs, %d that differ in what is said of them", n, len(said))
}

// judged has one input tried, and keeps it where it does harm.
func judged(t testing.TB, b []byte, try func(testing.TB, []byte) string) (says string) {
	done := false
	before := taken()
	watch := time.AfterFunc(mostTime, func() {
		panic("an input takes minutes: " + keep(t, b))
	})
	defer func() {
		watch.Stop()
		if r := recover(); r != nil {
			t.Fatalf("%v\n%s\nthe input is %s", r, debug.Stack(), keep(t, b))
		}
		if !done || t.Failed() {
			t.Fatalf("the input is %s", keep(t, b))
		}
	}()
	says = try(t, b)
	if n := taken() - before; n > mostBytes {
		t.Errorf("%d bytes were taken for one input", n)
	}
	done = true
	return says
}

// taken is how many bytes were ever asked for.
func taken() uint64 {
	s := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64()
}

// keep writes an input beside the temporary files and returns its name.
func keep(t testing.TB, b []byte) string {
	f, err := os.CreateTemp("", filepath.Base(t.Name())+"-")
	if err != nil {
		return fmt.Sprintf("%q", b)
	}
	defer f.Close()
	if _, err := f.Write(b); err != nil {
		return fmt.Sprintf("%q", b)
	}
	return f.Name()
}

// without leaves out digits and what is quoted, so that sentences differ by more than what they are about, and what is
// long.
func without(says string) string {
	b := make([]byte, 0, 200)
	quoted := false
	for i := 0; i < len(says) && len(b) < cap(b); i++ {
		c := says[i]
		if c == '"' {
			quoted = !quoted
		}
		if !quoted && (c < '0' || c > '9') {
			b = append(b, c)
		}
	}
	return string(b)
}
