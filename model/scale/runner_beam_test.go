package scale

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/model/job/run"
)

// A runner checks an address itself, and says what is wrong in one line.
func TestBeamRunnersCheckTheirAddresses(t *testing.T) {
	for _, word := range []string{"prism", "prism:localhost:8073", "flink:node-7:8099", "spark:[::1]:1", "dataflow"} {
		if _, _, err := RunnerOf(word); err != nil {
			t.Error(err)
		}
	}
	for _, word := range []string{"flink", "flink:", "flink:node-7", "flink::8099", "flink:node-7:0", "spark:a:65536",
		"spark:HOST:PORT", "prism:x", "dataflow:a:1", "flink:a:b:1"} {
		_, _, err := RunnerOf(word)
		if !errors.As(err, new(run.Usage)) || strings.Contains(fmt.Sprint(err), "\n") {
			t.Errorf("%q: %v", word, err)
		}
	}
	if _, _, err := RunnerOf("flink"); err == nil || !strings.Contains(err.Error(), "flink:HOST:PORT") {
		t.Error(err)
	}
}

// pretended is a plan of two parts that nobody makes, and options with a program of that script as blossom-beam.
func pretended(t *testing.T, script string) (*Plan, *Options) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("it pretends by a script of a shell")
	}
	dir := t.TempDir()
	if script != "" {
		text := "#!/bin/sh\n" + script + "\n"
		if err := os.WriteFile(filepath.Join(dir, "blossom-beam"), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return &Plan{folder: filepath.Join(dir, "out"), Shards: []Shard{{Path: "a"}, {Path: "b"}}},
		&Options{Self: filepath.Join(dir, "blossom"), Stall: time.Minute}
}

// How blossom-beam ends is told in one line of it; that parts are missing is told by who looks at them.
func TestWhatBeamSays(t *testing.T) {
	for _, c := range []struct {
		script, want string
		usage        bool
	}{
		{"exit 0", "", false},
		{"echo 'blossom-beam: 1 of 2 parts is missing' >&2; exit 3", "", false},
		{"echo page >&2; echo 'blossom-beam: no such host' >&2; echo page >&2; exit 1", "no such host", false},
		{"echo 'blossom-beam: --x is none' >&2; exit 2", "--x is none", true},
		{"echo 'a b' >&2; echo 'goroutine 7 of 9' >&2; exit 4", "exit status 4: goroutine 7 of 9", false},
		{"i=0; while [ $i -lt 9000 ]; do echo 'a line of a page of Beam' >&2; i=$((i+1)); done; echo last >&2; exit 1",
			"last", false},
		{`[ "$2" = "$(dirname "$0")/out/plan.json" ] && [ "$3 $4 $5 $6" = "--runner flink:a:1 --stall 1m0s" ] &&
			[ "${11}" = "--parallelism=3" ] || { echo "blossom-beam: $*" >&2; exit 1; }`, "", false},
	} {
		p, o := pretended(t, c.script)
		o.Args = []string{"--parallelism=3"}
		r, kind, err := RunnerOf("flink:a:1")
		if err != nil || r.Lacks(kind, o) != nil {
			t.Fatal(err, r.Lacks(kind, o))
		}
		err = r.Run(t.Context(), p, kind, []int{0, 1}, o)
		said := fmt.Sprint(err)
		if (err == nil) != (c.want == "") || !strings.Contains(said, c.want) || strings.Contains(said, "\n") ||
			errors.As(err, new(run.Usage)) != c.usage {
			t.Errorf("%s: %v", c.script, err)
		}
	}
}

// A program that hangs is ended when no part comes, and with it what waits for it.
func TestBeamThatHangs(t *testing.T) {
	p, o := pretended(t, "trap '' TERM; exec sleep 600")
	o.Stall = 10 * time.Millisecond
	err := runBeam(t.Context(), p, "prism", o)
	if err == nil || !strings.Contains(err.Error(), "no part has been made") {
		t.Error(err)
	}
	p, o = pretended(t, "exec sleep 600")
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(50*time.Millisecond, cancel)
	if err := runBeam(ctx, p, "prism", o); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// Where there is no blossom-beam it is said before anything is planned.
func TestBeamThatIsNotThere(t *testing.T) {
	_, o := pretended(t, "")
	t.Setenv("PATH", t.TempDir())
	for _, word := range []string{"prism", "dataflow", "flink:a:1"} {
		r, kind, err := RunnerOf(word)
		if err != nil {
			t.Fatal(err)
		}
		if err = r.Lacks(kind, o); !errors.As(err, new(run.Usage)) ||
			!strings.Contains(err.Error(), "blossom-beam is not found: ") {
			t.Errorf("%s: %v", word, err)
		}
	}
}
