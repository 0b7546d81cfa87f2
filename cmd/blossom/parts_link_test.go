package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Points of several files, and of ranges of one, are linked in parts to the labels, the matrix and the heights of one
// run over all; what was killed goes on, and nothing is left of the parts.
func TestClustersInPartsAreThoseOfOneRun(t *testing.T) {
	dir := t.TempDir()
	for i, n := range []int{300, 1, 150} {
		ok(t, dir, "demo", fmt.Sprintf("cytometry:%d", n), "-o", fmt.Sprintf("s%d.npy", i))
	}
	one := func(out string, more ...string) {
		t.Helper()
		ok(t, dir, append([]string{"cluster", "s0.npy", "s1.npy", "s2.npy", "--transform", "asinh:150", "--scale",
			"--n-clusters", "6", "-o", out + ".npy", "--linkage-out", out + "-z.npy"}, more...)...)
	}
	one("whole")
	one("pairs", "--runner", "local")
	one("ranges", "--runner", "local", "--part-rows", "100")
	for _, out := range []string{"pairs", "ranges"} {
		for _, file := range []string{".npy", "-z.npy"} {
			if text(t, filepath.Join(dir, out+file)) != text(t, filepath.Join(dir, "whole"+file)) {
				t.Errorf("%s%s is another one than of one run", out, file)
			}
		}
	}
	left, _ := filepath.Glob(filepath.Join(dir, "*.parts*"))
	if len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	ok(t, dir, "cluster", "s0.npy", "s1.npy", "s2.npy", "--transform", "asinh:150", "--scale",
		"--n-clusters", "6", "-o", "labels/", "--runner", "local", "--part-rows", "120")
	var all []string
	for i := range 3 {
		all = append(all, rowsOf(t, filepath.Join(dir, "labels", fmt.Sprintf("s%d.npy", i)))...)
	}
	if fmt.Sprint(all) != fmt.Sprint(rowsOf(t, filepath.Join(dir, "whole.npy"))) {
		t.Error("labels of each file are others than those of one run")
	}
}

// A scheduler's job of pairs can be printed, a pair made by it, and the rest by the same command with another runner.
func TestPairsOfPartsAreMadeByAnyRunner(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "cytometry:90", "-o", "a.npy")
	cluster := []string{"cluster", "a.npy", "--n-clusters", "4", "-o", "l.npy"}
	ok(t, dir, cluster...)
	want := text(t, filepath.Join(dir, "l.npy"))
	os.Remove(filepath.Join(dir, "l.npy"))
	cluster = append(cluster, "--part-rows", "30", "--runner")
	if out := ok(t, dir, append(cluster, "print:lsf")...).stdout; !strings.Contains(out, "part") {
		t.Errorf("it prints %q", out)
	}
	ok(t, dir, "part", "l.npy.parts/links", "--shard", "1/3")
	if out := ok(t, dir, "status", "l.npy.parts").stdout; !strings.HasPrefix(out, "links: 1 of 3 parts") {
		t.Errorf("its status is %q", out)
	}
	ok(t, dir, append(cluster, "local")...)
	if text(t, filepath.Join(dir, "l.npy")) != want {
		t.Error("labels are others than those of one run")
	}
}

// Wishes that no two parts can grant are refused in a line, and a pair that cannot be made is named.
func TestClustersThatAreNotMadeInParts(t *testing.T) {
	dir := t.TempDir()
	ok(t, dir, "demo", "cytometry:50", "-o", "a.npy")
	ok(t, dir, "demo", "cytometry:50", "-o", "b.npy")
	base := []string{"cluster", "a.npy", "b.npy", "--n-clusters", "3", "-o", "l.npy"}
	for _, more := range [][]string{{"--runner", "local", "--min-samples", "3"}, {"--part-rows", "20"},
		{"--runner", "local", "--verify"}, {"--runner", "nobody"}} {
		blossom(t, dir, append(base, more...)...).refused(t, 2, "")
	}
	if _, err := os.Stat(filepath.Join(dir, "l.npy.parts")); err == nil {
		t.Error("a folder of parts is left")
	}
}

// Labels of files of one name have names of their own, and none takes the place of data, or of what somebody else has
// put where parts are made.
func TestLabelsOfFilesOfOneNameStandBesideEachOther(t *testing.T) {
	dir := t.TempDir()
	for i, n := range []string{"40", "30"} {
		folder := filepath.Join(dir, string(rune('a'+i)))
		if err := os.Mkdir(folder, 0o777); err != nil {
			t.Fatal(err)
		}
		ok(t, folder, "demo", "cytometry:"+n, "-o", "x.npy")
	}
	mine := filepath.Join(dir, "labels.parts.npy")
	if err := os.WriteFile(mine, []byte("mine"), 0o666); err != nil {
		t.Fatal(err)
	}
	cluster := []string{"cluster", "a/x.npy", "b/x.npy", "--n-clusters", "3", "-o"}
	ok(t, dir, append(cluster, "whole.npy")...)
	said := ok(t, dir, append(cluster, "labels/", "--runner", "local")...).stderr
	if !strings.Contains(said, "x (2).npy") {
		t.Errorf("it says %q", said)
	}
	all := rowsOf(t, filepath.Join(dir, "labels", "x.npy"))
	all = append(all, rowsOf(t, filepath.Join(dir, "labels", "x (2).npy"))...)
	if fmt.Sprint(all) != fmt.Sprint(rowsOf(t, filepath.Join(dir, "whole.npy"))) {
		t.Error("labels of each file are others than those of one run")
	}
	data := text(t, filepath.Join(dir, "b", "x.npy"))
	blossom(t, dir, append(cluster, "b/", "--runner", "local")...).refused(t, 1, "is the input")
	if text(t, filepath.Join(dir, "b", "x.npy")) != data || text(t, mine) != "mine" {
		t.Error("a file is another one than before")
	}
	if _, err := os.Stat(filepath.Join(dir, "labels.parts")); err == nil {
		t.Error("a folder of parts is left")
	}
}
