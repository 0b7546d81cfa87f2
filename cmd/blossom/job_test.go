package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// printed is a command line whose job is printed, the files that it writes, and what is told of it.
var printed = []struct {
	name, line string
	files      []string
}{
	{"map trained here", "embed a.csv --som 6x5 --topology hex --epochs 3 --scale --seed 7 -o out.npy",
		[]string{"out.npy"}},
	{"k-means in 3D", "embed a.csv --kmeans 30 --dims 3 --epochs 3 --columns c,a,d --transform c=asinh:2 -o out.csv",
		[]string{"out.csv"}},
	{"landmarks as matrices", "embed b.csv --landmarks-hd hd.csv --landmarks-ld ld.csv --k 4 --boost 3 -o out.npy",
		[]string{"out.npy"}},
	{"landmarks of a file", "embed a.csv --landmarks trained.json --derived nearest,density -o out.tsv",
		[]string{"out.tsv"}},
	{"several files", "embed a.csv b.csv --kmeans 20 --match name --max-points 300 --sample random -o out.csv",
		[]string{"out.csv"}},
	{"demo data", "embed demo:tesseract:500 --epochs 2 -o out.npy", []string{"out.npy"}},
	{"text as it is said", "embed odd.txt --separator ; --decimal , --missing -999 --som 4x4 --epochs 2 -o out.csv",
		[]string{"out.csv"}},
	{"landmarks laid out", "train a.csv --som 5x5 --epochs 2 --layout tsne -o out.json", []string{"out.json"}},
	{"map of landmarks laid out", "embed a.csv --som 5x5 --epochs 2 --layout mds -o out.npy", []string{"out.npy"}},
	{"landmarks of a session laid out", "train --session s.blossom --layout force -o out.json", []string{"out.json"}},
	{"landmarks", "train a.csv --som 5x5 --sigma 3:0.5 --columns d,b -o out.json", []string{"out.json"}},
	{"UMAP", "umap a.csv --n-neighbors 8 --epochs 30 --start random --seed 4 -o out.npy", []string{"out.npy"}},
	{"clusters and their hierarchy", "cluster a.csv --n-clusters 5 -o out.csv --linkage-out Z.npy --mst-out tree.npy",
		[]string{"out.csv", "Z.npy", "tree.npy"}},
	{"t-SNE", "tsne a.csv --perplexity 8 --units 60 --seed 3 -o out.npy", []string{"out.npy"}},
	{"t-SNE in 3D from a file", "tsne a.csv --dims 3 --start places.npy --start-as keep --units 30 -o out.csv",
		[]string{"out.csv"}},
	{"forces", "tsne a.csv --at places.npy -o out.npy", []string{"out.npy"}},
	{"clusters by density", "cluster a.csv --min-size 9 --min-samples 4 --metric l1 -o out.npy",
		[]string{"out.npy"}},
	{"clusters of a session", "cluster --session s.blossom -o out.csv", []string{"out.csv"}},
	{"UMAP of a session", "umap --session s.blossom --epochs 20 -o out.npy", []string{"out.npy"}},
	{"UMAP with its graph", "umap a.csv --epochs 20 --start ./places2.npy -o out.npy --graph-out G.csv",
		[]string{"out.npy", "G.csv"}},
	{"UMAP of columns in another order", "umap a.csv --columns d,a --epochs 20 -o out.npy", []string{"out.npy"}},
	{"new points in a map", "umap b.csv --into a.csv --map places2.npy --scale --max-points 50 -o out.csv",
		[]string{"out.csv"}},
	{"new points in a map by t-SNE", "tsne b.csv a.csv --into a.csv --map places.npy --transform asinh:3 -o out.npy",
		[]string{"out.npy"}},
	{"a table beside another", "convert a.csv --join places.npy --transform asinh:3 --columns d,b out.csv",
		[]string{"out.csv"}},
	{"with the data", "umap a.csv --epochs 10 --join places.npy --with-data -o out.csv", []string{"out.csv"}},
	{"a picture", "render a.csv --som 4x4 --epochs 1 --colour b --size 120x90 --show-names -o out.png",
		[]string{"out.png"}},
	{"a picture of columns", "render a.csv --at a,b --join places.npy --colour c --range 5:90 --size 120x90 -o out.png",
		[]string{"out.png"}},
	{"a picture of places", "render a.csv --coordinates places.npy --colour density --size 120x90 -o out.png",
		[]string{"out.png"}},
	{"a picture of a session", "render --session s.blossom --size 120x90 --background dark -o out.png",
		[]string{"out.png"}},
	{"what is kept", "tsne a.csv --units 20 --keep -o out.npy", []string{"out.npy"}},
	{"map of a session", "embed --session s.blossom -o out.csv", []string{"out.csv"}},
	{"landmarks of a session", "train --session s.blossom -o out.json", []string{"out.json"}},
}

// jobData writes the files that the printed commands read.
func jobData(t *testing.T) (dir string) {
	t.Helper()
	dir = t.TempDir()
	table := func(name string, n, shift int) {
		text := "a,b,c,d\n"
		for i := range n {
			k := i*7919 + shift
			text += fmt.Sprintf("%d,%g,%d,%g\n", k%101, float64(k%37)/4, (k/11)%53+100*(i%2), float64((k/7)%19)*1.5)
		}
		write(t, filepath.Join(dir, name), text)
	}
	table("a.csv", 400, 0)
	table("b.csv", 300, 13)
	table("hd.csv", 24, 5)
	odd, places := "x;y\n", "x,y\n"
	for i := range 60 {
		odd += fmt.Sprintf("%d,%d;%d\n", i%9, i%4, []int{i * i % 23, -999}[i%7/6])
	}
	for i := range 24 {
		places += fmt.Sprintf("%d,%d\n", i%6, i/6)
	}
	write(t, filepath.Join(dir, "odd.txt"), odd)
	write(t, filepath.Join(dir, "ld.csv"), places)
	ok(t, dir, "train", "a.csv", "--som", "5x4", "--epochs", "3", "-o", "trained.json")
	ok(t, dir, "embed", "a.csv", "--kmeans", "9", "--dims", "3", "--epochs", "1", "-o", "places.npy")
	ok(t, dir, "embed", "a.csv", "--kmeans", "9", "--epochs", "1", "-o", "places2.npy")
	recipe(t, dir, filepath.Join(dir, "a.csv"))
	return dir
}

// A job printed by a command gives the same bytes as the command, in another folder too.
func TestPrintedJobsGiveTheSameBytes(t *testing.T) {
	dir := jobData(t)
	for _, c := range printed {
		t.Run(c.name, func(t *testing.T) {
			args := strings.Fields(c.line)
			before := len(names(t, dir))
			text := ok(t, dir, append(args, "--print-job", "--hash")...).stdout
			if now := len(names(t, dir)); now != before {
				t.Fatal("a job that is only printed has written something")
			}
			if strings.Contains(text, dir) && !strings.Contains(c.line, "--session") {
				t.Errorf("the job names the folder: %s", text)
			}
			ok(t, dir, append(args, "--quiet")...)
			want := map[string]string{}
			for _, name := range c.files {
				path := filepath.Join(dir, name)
				want[name] = string(mustRead(t, path))
				if err := os.Remove(path); err != nil {
					t.Fatal(err)
				}
			}
			file := write(t, filepath.Join(dir, "job.json"), text)
			ok(t, t.TempDir(), "job", file, "--threads", "1") // paths are of the folder of the job
			for name, text := range want {
				if got := string(mustRead(t, filepath.Join(dir, name))); got != text {
					t.Errorf("%s has other bytes: %.60q, and %.60q of the command", name, got, text)
				}
				os.Remove(filepath.Join(dir, name))
			}
			os.Remove(file)
		})
	}
}

func mustRead(t *testing.T, path string) []byte {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// A job of data that is not what it was made of is refused in a line, and done where that is wanted.
func TestAJobKnowsItsData(t *testing.T) {
	dir := jobData(t)
	line := strings.Fields("embed a.csv --kmeans 9 --epochs 1 -o out.csv --print-job")
	plain := ok(t, dir, line...).stdout
	write(t, filepath.Join(dir, "plain.json"), plain)
	write(t, filepath.Join(dir, "hash.json"), ok(t, dir, append(line, "--hash")...).stdout)
	a := string(mustRead(t, filepath.Join(dir, "a.csv")))
	refused := func(job string, words ...string) {
		t.Helper()
		blossom(t, dir, "job", job).refused(t, exitFailed, append(words, "a.csv: ")...)
		if _, err := os.Stat(filepath.Join(dir, "out.csv")); err == nil {
			t.Error("there is an output")
		}
	}
	write(t, filepath.Join(dir, "a.csv"), strings.Replace(a, "\n0,", "\n1,", 1))
	refused("hash.json", "content is not what it was", "--changed")
	ok(t, dir, "job", "plain.json") // its size is the same
	os.Remove(filepath.Join(dir, "out.csv"))
	write(t, filepath.Join(dir, "a.csv"), a+"1,2,3,4\n")
	refused("plain.json", "bytes", "--changed")
	ok(t, dir, "job", "plain.json", "--changed")
	os.Remove(filepath.Join(dir, "out.csv"))
	write(t, filepath.Join(dir, "a.csv"), strings.TrimSuffix(a, "\n")+strings.Repeat(" ", 1))
	rows := strings.Replace(plain, `"rows":400`, `"rows":401`, 1)
	write(t, filepath.Join(dir, "a.csv"), a)
	write(t, filepath.Join(dir, "rows.json"), rows)
	refused("rows.json", "400 rows", "401")
	os.Remove(filepath.Join(dir, "a.csv"))
	refused("plain.json", "not there")
	blossom(t, dir, "job", "-").refused(t, exitFailed, "standard input: ")
	blossom(t, dir, "job", "none.json").refused(t, exitFailed, "none.json: ")
	blossom(t, dir, "job").refused(t, exitUsage, "usage")
}
