package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file whose rows have no place anywhere is a part like others, as it is a part of all rows on one machine.
func TestPartsWithoutAPlaceAreParts(t *testing.T) {
	dir := t.TempDir()
	do := func(args ...string) { t.Helper(); ok(t, dir, append(args, "--quiet")...) }
	do("demo", "cytometry:200", "-o", "all.csv")
	text, err := os.ReadFile(filepath.Join(dir, "all.csv"))
	if err != nil {
		t.Fatal(err)
	}
	head, rest, _ := strings.Cut(string(text), "\n")
	columns := strings.Count(head, ",") + 1
	for name, text := range map[string]string{"a.csv": head + "\n" + rest,
		"none.csv": head + "\n" + strings.Repeat(strings.Repeat("nan,", columns-1)+"T\n", 30)} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	how := []string{"--som", "3x3", "--algorithm", "som-batch", "--epochs", "2", "--engine", "cpu", "--columns", "4-9"}
	do(append([]string{"train", "a.csv", "none.csv", "-o", "one.json"}, how...)...)
	do(append([]string{"train", "a.csv", "none.csv", "-o", "two.json", "--runner", "local"}, how...)...)
	want, err1 := os.ReadFile(filepath.Join(dir, "one.json"))
	got, err2 := os.ReadFile(filepath.Join(dir, "two.json"))
	if err1 != nil || err2 != nil || !bytes.Equal(want, got) {
		t.Errorf("other landmarks in parts (%v, %v)", err1, err2)
	}
	do("embed", "a.csv", "none.csv", "--landmarks", "one.json", "-o", "out/")
	do("tsne", "a.csv", "none.csv", "--columns", "4-9", "--shown", "100", "--units", "5", "-o", "laid/")
	if r := finish(t, command(t, dir, "embed", "none.csv", "--landmarks", "one.json", "-o", "x.npy")); r.code == 0 {
		t.Error("all rows of a file by itself have no place, and nobody says so")
	}
}

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
	if said := do("status", "map.json.parts"); !strings.HasPrefix(said, "epoch 1: 3 of 3 parts") ||
		!strings.Contains(said, onward) || strings.Contains(said, "finished") {
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
