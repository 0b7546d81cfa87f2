package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/carried"
)

// Every picture carries the job that makes it again, byte for byte, beside the data and away from them.
func TestAPictureIsMadeAgainByTheJobItCarries(t *testing.T) {
	dir := jobData(t)
	for _, c := range printed {
		if !strings.HasPrefix(c.line, "render") {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(dir, "out.png")
			ok(t, dir, append(strings.Fields(c.line), "--quiet")...)
			want := mustRead(t, out)
			carrier := filepath.Join(t.TempDir(), "figure.png")
			write(t, carrier, string(want))
			printed := ok(t, dir, "job", "--from", carrier).stdout
			if strings.Contains(printed, dir) || !strings.Contains(printed, `"sha256":"`) {
				t.Errorf("it names folders, or no hash: %s", printed)
			}
			ok(t, dir, "job", write(t, filepath.Join(dir, "again.json"), printed))
			if !bytes.Equal(mustRead(t, filepath.Join(dir, "picture.png")), want) {
				t.Error("the picture has other bytes")
			}
		})
	}
}

// Figures of lines carry it, too.
func TestAFigureIsMadeAgainByTheJobItCarries(t *testing.T) {
	needsGL(t)
	dir := jobData(t)
	for _, ending := range []string{".svg", ".pdf"} {
		ok(t, dir, "render", "a.csv", "--som", "4x4", "--epochs", "1", "--width", "60mm", "--dpi", "100", "-o",
			"f"+ending)
		printed := ok(t, dir, "job", "--from", "f"+ending).stdout
		ok(t, dir, "job", write(t, filepath.Join(dir, "again.json"), printed))
		got, want := mustRead(t, filepath.Join(dir, "picture"+ending)), mustRead(t, filepath.Join(dir, "f"+ending))
		if !bytes.Equal(got, want) {
			t.Errorf("the figure %s has other bytes", ending)
		}
	}
}

func TestAPictureStandsForASession(t *testing.T) {
	dir := jobData(t)
	ok(t, dir, "render", "a.csv", "--som", "6x5", "--epochs", "3", "--size", "120x90", "-o", "map.png")
	ok(t, dir, "embed", "a.csv", "--som", "6x5", "--epochs", "3", "-o", "want.npy")
	ok(t, dir, "embed", "--session", "map.png", "-o", "got.npy")
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "got.npy")), mustRead(t, filepath.Join(dir, "want.npy"))) {
		t.Error("the map of the picture has other coordinates")
	}
	// Elsewhere the data is named.
	other := t.TempDir()
	write(t, filepath.Join(other, "map.png"), string(mustRead(t, filepath.Join(dir, "map.png"))))
	blossom(t, other, "embed", "--session", "map.png", "-o", "got.npy").refused(t, 1, "map.png", "a.csv",
		"does not exist")
	ok(t, other, "embed", "--session", "map.png", filepath.Join(dir, "a.csv"), "-o", "got.npy")
	text := ok(t, other, "job", "--from", "map.png", "--data", filepath.Join(dir, "a.csv")).stdout
	ok(t, other, "job", write(t, filepath.Join(other, "job.json"), text))
	// Data with other content is not taken for it.
	rows := strings.Replace(string(mustRead(t, filepath.Join(dir, "a.csv"))), "1", "2", 1)
	write(t, filepath.Join(other, "a.csv"), rows)
	text = ok(t, other, "job", "--from", "map.png").stdout
	blossom(t, other, "job", write(t, filepath.Join(other, "job.json"), text)).refused(t, 1, "a.csv")
}

// A picture comes from anybody: what its job would read or write elsewhere is a name in the folder where that runs.
func TestAPictureNamesNoFoldersOfOthers(t *testing.T) {
	dir := jobData(t)
	ok(t, dir, "render", "a.csv", "--at", "a,b", "--size", "120x90", "--no-recipe", "-o", "bare.png")
	text := ok(t, dir, "render", "a.csv", "--at", "a,b", "--size", "120x90", "-o", "map.png", "--print-job").stdout
	for was, is := range map[string]string{`"path":"a.csv"`: `"path":"../../etc/passwd"`,
		`"output":"map.png"`: `"output":"../../evil.png"`} {
		if !strings.Contains(text, was) {
			t.Fatalf("no %s in %s", was, text)
		}
		text = strings.Replace(text, was, is, 1)
	}
	line, err := carried.Text([]byte("test\n" + text))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "hostile.png"), string(mustRead(t, filepath.Join(dir, "bare.png")))+line)
	printed := ok(t, dir, "job", "--from", "hostile.png").stdout
	if !strings.Contains(printed, `"path":"passwd"`) || !strings.Contains(printed, `"output":"evil.png"`) {
		t.Errorf("it names others: %s", printed)
	}
	blossom(t, dir, "embed", "--session", "hostile.png", "-o", "x.npy").refused(t, 1, "passwd", "does not exist")
}

func TestPicturesThatSayNothingOfHowTheyWereMade(t *testing.T) {
	dir := jobData(t)
	ok(t, dir, "render", "a.csv", "--at", "a,b", "--size", "120x90", "-o", "map.png")
	whole := mustRead(t, filepath.Join(dir, "map.png"))
	at := bytes.Index(whole, []byte("blossom-carries-1:"))
	if at < 0 {
		t.Fatal("it carries nothing")
	}
	cut, spoiled := whole[:at+40], bytes.Clone(whole)
	spoiled[at+60] ^= 1
	ok(t, dir, "render", "a.csv", "--at", "a,b", "--size", "120x90", "--no-recipe", "-o", "bare.png")
	for name, content := range map[string][]byte{"cut.png": cut, "spoiled.png": spoiled} {
		write(t, filepath.Join(dir, name), string(content))
		blossom(t, dir, "job", "--from", name).refused(t, 1, name, "damaged", "as blossom has written it")
	}
	for _, name := range []string{"bare.png", "a.csv"} {
		blossom(t, dir, "job", "--from", name).refused(t, 1, name, "does not say how it was made")
	}
	blossom(t, dir, "embed", "bare.png", "-o", "x.npy").refused(t, 1, "bare.png", "a picture, not a table")
	blossom(t, dir, "info", "bare.png").refused(t, 1, "bare.png", "a picture, not a table")
	blossom(t, dir, "job", "--from", "map.png", "--data", "a.csv", "--data", "b.csv").refused(t, 2, "1 file", "--data")
	blossom(t, dir, "job", "--from", "map.png", "job.json").refused(t, 2)
}
