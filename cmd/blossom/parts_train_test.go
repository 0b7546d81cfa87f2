package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Landmarks that are trained in parts have the bytes of those of one machine, by a process that makes a part alone as
// well, and the folder of the parts is gone in the end.
func TestTrainInParts(t *testing.T) {
	dir := t.TempDir()
	do := func(args ...string) string { t.Helper(); return ok(t, dir, args...).stdout }
	for i := range 3 {
		do("demo", fmt.Sprint("cytometry:", 300+100*i), "-o", fmt.Sprintf("s%d.npy", i))
	}
	how := []string{"--som", "4x4", "--algorithm", "som-batch", "--epochs", "3", "--engine", "cpu", "--quiet"}
	do(append([]string{"train", "s0.npy", "s1.npy", "s2.npy", "-o", "one.json"}, how...)...)
	here := append([]string{"train", "s*.npy", "-o", "map.json", "--runner", "local"}, how...)
	later := append([]string{"train", "s*.npy", "-o", "map.json", "--runner", "print:sge"}, how...)

	said := do(later...)
	if !strings.Contains(said, "epoch 1 of 3") || !strings.Contains(said, "#$ -t 1-3") {
		t.Errorf("the job of an epoch:\n%s", said)
	}
	if _, err := os.Stat(filepath.Join(dir, "map.json")); err == nil {
		t.Error("landmarks are there before they are trained")
	}
	for i, processor := range []string{"", "baseline", "go"} { // as the scheduler would, on machines that are not alike
		c := command(t, dir, "part", filepath.Join("map.json.parts", "epoch-000", "plan.json"), "--shard",
			fmt.Sprintf("%d/3", i))
		c.Env = append(os.Environ(), "BLOSSOM_CPU="+processor)
		if r := finish(t, c); r.code != 0 {
			t.Fatal(r.stderr)
		}
	}
	if said := do("status", "map.json.parts"); !strings.HasPrefix(said, "epoch 1: 3 of 3 parts") {
		t.Error(said)
	}
	if said := do(later...); !strings.Contains(said, "epoch 2 of 3") {
		t.Errorf("the job of the next epoch:\n%s", said)
	}
	if said := do("status", "map.json.parts"); !strings.HasPrefix(said, "epoch 2: 0 of 3 parts") {
		t.Error(said)
	}
	do("resume", "map.json.parts", "--quiet")
	do(here...)
	want, err1 := os.ReadFile(filepath.Join(dir, "one.json"))
	got, err2 := os.ReadFile(filepath.Join(dir, "map.json"))
	if err1 != nil || err2 != nil || !bytes.Equal(want, got) {
		t.Errorf("other landmarks in parts (%v, %v)", err1, err2)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "map.json.*")); left != nil {
		t.Errorf("left: %v", left)
	}
	for want, args := range map[string][]string{
		"--algorithm som-batch or lloyd": {"train", "s0.npy", "-o", "x.json", "--runner", "local"},
		"nothing is made in parts":       {"train", "s0.npy", "-o", "x.json", "--stall", "5m"},
		"name a file":                    {"train", "s0.npy", "-o", "-", "--kmeans", "3", "--runner", "local"},
		"some files alone": {"train", "s0.npy", "-o", "x.json", "--kmeans", "3", "--runner", "local",
			"--skip-bad"},
	} {
		blossom(t, dir, args...).refused(t, 2, want)
	}
}
