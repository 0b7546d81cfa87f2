package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"blossom/gpu/bench"
)

// doctor always succeeds and explains every no, also with no display and no home.
func TestDoctor(t *testing.T) {
	c := command(t, t.TempDir(), "doctor", "--json")
	c.Env = []string{"PATH=" + os.Getenv("PATH")}
	r := finish(t, c)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, %q", r.code, r.stderr)
	}
	var h health
	parse(t, r.stdout, &h)
	engines := map[string]engineHealth{}
	for _, e := range h.Engines {
		engines[e.Name] = e
		if e.Available == (e.Why != "") {
			t.Errorf("engine %s: available %v, why %q", e.Name, e.Available, e.Why)
		}
	}
	for _, name := range []string{"cpu", "reference"} {
		if !engines[name].Available || engines[name].Device == "" {
			t.Errorf("engine %s: %+v", name, engines[name])
		}
	}
	if h.Display || h.GL.Window.Available || h.GL.Window.Why == "" {
		t.Errorf("without DISPLAY: %+v", h.GL.Window)
	}
	if !h.GL.Offscreen.Available && !strings.Contains(h.GL.Offscreen.Why, "install") {
		t.Errorf("no remedy: %+v", h.GL.Offscreen)
	}
	if !h.CUDA.Available && h.CUDA.Why == "" || !h.Fonts || h.CPU.Cores < 1 || h.Dialogs == nil {
		t.Errorf("%+v", h)
	}
	if why := engines["cuda"].Why; !engines["cuda"].Available && !h.CUDA.Available &&
		!strings.Contains(why, h.CUDA.Why) {
		t.Errorf("engine cuda does not say that there is no driver: %q", why)
	}
	if !engines["cpu"].Preferred {
		t.Error("engine cpu works, and auto does not take it")
	}
	text := ok(t, t.TempDir(), "doctor").stdout
	for _, word := range []string{"engine cpu", "engine gl", "engine cuda", "pictures", "window", "CUDA driver",
		"fonts", "Maps are computed by engine", "exact and slow"} {
		if !strings.Contains(text, word) {
			t.Errorf("the text does not mention %q:\n%s", word, text)
		}
	}
}

// The verdict is said in words at the end.
func TestVerdict(t *testing.T) {
	engine := func(name string, available, preferred bool) engineHealth {
		return engineHealth{Name: name, Available: available, Preferred: preferred}
	}
	for _, c := range []struct {
		engines         []engineHealth
		window, offline bool
		want            string
	}{
		{[]engineHealth{engine("cuda", true, true), engine("cpu", true, true)}, true, true,
			"Maps are computed by engine cuda, the fastest that works here. The window opens, and all commands work."},
		{[]engineHealth{engine("cuda", false, false), engine("gl", true, false), engine("cpu", true, true)}, false,
			true,
			"Maps are computed by engine cpu, the fastest that works here. An NVIDIA card is not needed for " +
				"anything but speed. " +
				"The window does not open; all commands work without it, also render, which draws pictures."},
		{[]engineHealth{engine("gl", true, true), engine("cpu", true, true)}, true, false,
			"Maps are computed by engine gl, the fastest that works here. An NVIDIA card is not needed for " +
				"anything but speed. " +
				"The window opens, and saves pictures; the command render does not work."},
		{nil, false, false,
			"No engine works here: maps cannot be computed. The window does not open, and the command render " +
				"cannot draw; the other commands work."},
	} {
		h := health{Engines: c.engines}
		h.GL.Window.Available, h.GL.Offscreen.Available = c.window, c.offline
		if got := strings.Join(h.verdict(), " "); got != c.want {
			t.Errorf("%q instead of %q", got, c.want)
		}
	}
}

// The rows of the benches have what the README's tables are made of.
func TestBench(t *testing.T) {
	for _, args := range [][]string{{"train", "--points", "3000"}, {"load", "--points", "3000"},
		{"select", "--points", "3000"}, {"layout", "--points", "40"},
		{"embed", "--points", "2048", "--repeats", "1", "--engine", "cpu"}} {
		var got struct {
			Machine bench.Machine
			Rows    []map[string]any
		}
		parse(t, ok(t, t.TempDir(), append(append([]string{"bench"}, args...), "--json")...).stdout, &got)
		if got.Machine.Cores < 1 || got.Machine.CPU == "" || len(got.Rows) < 3 {
			t.Errorf("%s: %+v, %d rows", args[0], got.Machine, len(got.Rows))
		}
		compared := 0
		for _, row := range got.Rows {
			for _, key := range []string{"bench", "engine", "variant", "n", "d", "g", "k", "stage", "ns_per_point",
				"points_per_s", "p05", "p95", "baseline", "ratio"} {
				if _, there := row[key]; !there {
					t.Errorf("%s: a row has no %q", args[0], key)
				}
			}
			if v, isNumber := row["ns_per_point"].(float64); !isNumber || v <= 0 || row["bench"] != args[0] {
				t.Errorf("%s: %v", args[0], row)
			}
			if r, isNumber := row["ratio"].(float64); isNumber && r > 0 {
				compared++
			}
		}
		if (args[0] == "embed" || args[0] == "select" || args[0] == "layout") && compared == 0 {
			t.Error("nothing is compared with the baseline")
		}
	}
	dir := t.TempDir()
	text := ok(t, dir, "bench", "embed", "--points", "1000", "--quick", "--shape", "5,40,6", "--data", "clustered",
		"--engine", "cpu", "-o", "numbers.json").stdout
	if numbers, err := os.ReadFile(filepath.Join(dir, "numbers.json")); err != nil || !json.Valid(numbers) ||
		!strings.Contains(string(numbers), "ns_per_point") {
		t.Errorf("the numbers beside the table: %v, %s", err, numbers)
	}
	if !strings.Contains(text, "d 5, g 40, k 6, clustered data") || !strings.Contains(text, "error max") {
		t.Errorf("one size of clustered data:\n%s", text)
	}
	again := ok(t, dir, "bench", "embed", "--from", "numbers.json").stdout
	if a, b := strings.SplitN(text, "\n", 2), strings.SplitN(again, "\n", 2); a[1] != b[1] {
		t.Errorf("the table of an earlier run differs:\n%s", again)
	}
	if readme := ok(t, dir, "bench", "embed", "--from", "numbers.json",
		"--markdown").stdout; !strings.Contains(readme, "| 5, 40, 6, clustered data |") {
		t.Errorf("the table for a README:\n%s", readme)
	}
	for _, wrong := range [][]string{{"--grid", "mine"}, {"--shape", "5,40"}, {"--shape", "5,40,0"},
		{"--shape", "1,2,3", "--grid", "papers"}, {"--device", "-1"}} {
		if r := blossom(t, t.TempDir(), append([]string{"bench", "embed"}, wrong...)...); r.code != 2 {
			t.Errorf("bench embed %v: exit code %d, %s", wrong, r.code, r.stderr)
		}
	}
	for _, wrong := range [][]string{{"--data", "mine"}, {"--engine", "abacus"}, {"--from", "nothing.json"}} {
		if r := blossom(t, t.TempDir(), append([]string{"bench", "embed"}, wrong...)...); r.code == 0 ||
			!strings.Contains(r.stderr, wrong[1]) {
			t.Errorf("bench embed %v: exit code %d, %s", wrong, r.code, r.stdout)
		}
	}
}

// A driver that leaves a process behind has not crashed: its answer counts.
func TestAnAnswerCountsThoughAProcessIsLeftBehind(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip(err)
	}
	text, _, err := answerOf(exec.Command(sh, "-c", "sleep 5 & echo 7"))
	if err != nil || string(text) != "7\n" {
		t.Errorf("%q, %v", text, err)
	}
	if _, _, err := answerOf(exec.Command(sh, "-c", "sleep 5 & exit 3")); err == nil {
		t.Error("a process that fails is said to have ended well")
	}
}
