//go:build linux && cgo

package limits

import (
	"io"
	"os"
	"testing"
	"time"
)

// The program's output is passed on, its last word too, unless it then dies of a limit.
func TestRelay(t *testing.T) {
	const late = 1200 * time.Millisecond
	for _, c := range []struct {
		name  string
		says  []string
		pause time.Duration // between them
		want  string
		dying bool
	}{
		{"nothing", nil, 0, "", false},
		{"lines", []string{"one\ntwo\n", "half"}, 0, "one\ntwo\nhalf", false},
		{"an error", []string{"reading\n", "blossom: no such file\n"}, 0, "reading\nblossom: no such file\n", false},
		{"notes", []string{"blossom: a\nblossom: b\n"}, 0, "blossom: a\nblossom: b\n", false},
		{"a death", []string{"reading\n", "runtime: out of memory\n", "goroutine 1\n"}, 0, "reading\n", true},
		{"an error and a death", []string{"reading\nblossom: too little memory\n", "runtime: out of memory\n",
			"stack\n"},
			0, "reading\n", true},
		{"two threads at once", []string{"runtime/cgo: runtime/cgo: pthread_create failed: no\nstack\n"}, 0, "", true},
		{"a note, and much later a death", []string{"blossom: a note\n", "runtime: out of memory\n"}, late,
			"blossom: a note\n", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			said, in := pipe(t)
			out, heard := pipe(t)
			go func() {
				for i, s := range c.says {
					if i > 0 {
						time.Sleep(c.pause)
					}
					io.WriteString(in, s)
				}
				in.Close()
			}()
			dying := relay(said, heard)
			heard.Close()
			if got, err := io.ReadAll(out); err != nil || string(got) != c.want || dying != c.dying {
				t.Errorf("%q, %v, %v; want %q, %v", got, dying, err, c.want, c.dying)
			}
		})
	}
}

func pipe(t *testing.T) (from, to *os.File) {
	t.Helper()
	from, to, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { from.Close(); to.Close() })
	return from, to
}
