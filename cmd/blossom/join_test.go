package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"blossom/model/data/format"
	"blossom/model/data/source"
	"blossom/model/document/opening"
	"blossom/model/document/state"
)

// Results combine: labels of one command colour the picture of another, and columns of the input are written beside
// what is made of them, also of a sample and by a job.
func TestResultsAreJoinedByRow(t *testing.T) {
	dir := jobData(t)
	header := func(name string) []string {
		t.Helper()
		line, _, _ := strings.Cut(text(t, filepath.Join(dir, name)), "\n")
		return strings.Split(line, ",")
	}
	ok(t, dir, "cluster", "a.csv", "--n-clusters", "3", "--with-data", "-o", "labels.csv")
	if got := header("labels.csv"); !slices.Equal(got, []string{"a", "b", "c", "d", "cluster"}) {
		t.Errorf("labels with data have the columns %q", got)
	}
	ok(t, dir, "cluster", "a.csv", "--n-clusters", "3", "-o", "cluster.csv")
	ok(t, dir, "render", "a.csv", "--join", "cluster.csv", "--colour", "cluster", "--som", "4x4", "--epochs", "1",
		"--size", "90x90", "-o", "p.png")
	// A joined table changes no map.
	ok(t, dir, "embed", "a.csv", "--kmeans", "9", "--epochs", "1", "-o", "plain.csv")
	ok(t, dir, "embed", "a.csv", "--kmeans", "9", "--epochs", "1", "--join", "cluster.csv", "--with-data",
		"-o", "map.csv")
	plain := strings.Split(text(t, filepath.Join(dir, "plain.csv")), "\n")
	whole := strings.Split(text(t, filepath.Join(dir, "map.csv")), "\n")
	if got := header("map.csv"); !slices.Equal(got, []string{"a", "b", "c", "d", "cluster", "embedsom1", "embedsom2"}) {
		t.Fatalf("the map with data has the columns %q", got)
	}
	for i := range plain {
		if !strings.HasSuffix(whole[i], plain[i]) {
			t.Fatalf("row %d is %q, and %q without what is joined", i, whole[i], plain[i])
		}
	}
	// A sample takes the same rows of both: a column that is joined to itself is the same.
	ok(t, dir, "convert", "a.csv", "--join", "a.csv", "--max-points", "50", "--sample", "random", "--seed", "4",
		"twice.csv")
	rows := strings.Split(strings.TrimSpace(text(t, filepath.Join(dir, "twice.csv"))), "\n")
	for _, row := range rows[1:] {
		if cells := strings.Split(row, ","); len(rows) != 51 || len(cells) != 8 || !slices.Equal(cells[:4], cells[4:]) {
			t.Fatalf("%d rows, one of them %q", len(rows), row)
		}
	}
	for _, line := range []string{"tsne a.csv --units 3", "umap a.csv --epochs 10",
		"umap --session s.blossom --epochs 10",
		"umap b.csv --into a.csv --map places.npy"} {
		ok(t, dir, append(strings.Fields(line), "--with-data", "-o", "with.csv")...)
		if got := header("with.csv"); len(got) < 6 || got[0] != "a" || got[3] != "d" {
			t.Errorf("%s: the columns %q", line, got)
		}
	}
	write(t, filepath.Join(dir, "short.csv"), "z\n1\n2\n")
	blossom(t, dir, "embed", "a.csv", "--join", "short.csv", "-o", "no.csv").refused(t, exitFailed, "short.csv",
		"2 rows", fmt.Sprint(400))
}

// A session of a window that columns were added to says so in a job too, and gives the same bytes by either.
func TestASessionWithJoinedColumnsIsAJob(t *testing.T) {
	dir := jobData(t)
	ok(t, dir, "cluster", "a.csv", "--n-clusters", "3", "-o", "cluster.csv")
	ctx, a, session := t.Context(), filepath.Join(dir, "a.csv"), filepath.Join(dir, "joined.blossom")
	table, err := source.Read(ctx, a, format.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wider, err := opening.Join(ctx, table, state.Sampling{}, filepath.Join(dir, "cluster.csv"), format.Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	o, err := opening.Prepare(ctx, wider.Data, 1, nil)
	if err != nil {
		t.Fatal(err)
	}
	saveRecipe(t, o.Doc, session)
	ok(t, dir, "embed", "--session", session, "--with-data", "-o", "by-session.csv")
	printed := ok(t, dir, "embed", "--session", session, "--with-data", "--print-job", "-o", "by-job.csv").stdout
	if !strings.Contains(printed, `"join"`) {
		t.Errorf("the job joins nothing: %.400s", printed)
	}
	write(t, filepath.Join(dir, "job.json"), printed)
	ok(t, dir, "job", "job.json")
	got := text(t, filepath.Join(dir, "by-job.csv"))
	if want := text(t, filepath.Join(dir, "by-session.csv")); got != want {
		t.Error("the job writes something else")
	}
	if header, _, _ := strings.Cut(got, "\n"); header != "a,b,c,d,cluster,embedsom1,embedsom2" {
		t.Errorf("the columns %q", header)
	}
	// Fewer rows than there were are a change of the data.
	write(t, filepath.Join(dir, "cluster.csv"), "cluster\n1\n2\n")
	blossom(t, dir, "embed", "--session", session, "-o", "no.csv").refused(t, exitFailed, "joined.blossom",
		"cluster.csv is joined no more: it has 2 rows")
}
