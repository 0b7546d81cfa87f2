package main

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"blossom/model/base/revision"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/parts"
	"blossom/model/document/session"
	"blossom/model/document/state"
	"blossom/render/scene/film/filmtest"
)

// dragged is a document with a history: landmarks are dragged twice, and something is done between that does not move
// the map.
func dragged(t *testing.T, dir string) *state.Document {
	t.Helper()
	text := "a,b,c\n"
	for i := range 600 {
		text += strconv.Itoa(i*i%37) + "," + strconv.Itoa(i*7%101) + "," + strconv.Itoa(i%13) + "\n"
	}
	o, err := opening.Load(t.Context(), []string{write(t, filepath.Join(dir, "points.csv"), text)},
		format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	drag := func(name string, which []int, by []float32) {
		l, err := parts.Landmarks.Of(o.Doc.State()).Move(which, by)
		if err != nil {
			t.Fatal(err)
		}
		o.Doc.Do(name, func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
	}
	drag("First drag", []int{1, 5}, []float32{2, -1})
	o.Doc.Do("Other name", func(s *state.State) {
		l := *parts.Landmarks.Of(*s)
		l.Names, l.NameRev = make([]string, l.Len()), revision.Next()
		l.Names[2] = "x"
		parts.Landmarks.Put(s, &l)
	})
	drag("Second drag", []int{0, 3, 8}, []float32{-3, 1})
	return o.Doc
}

// saveWhole writes a document with its history.
func saveWhole(t *testing.T, d *state.Document, path string) string {
	t.Helper()
	s, err := session.Full(d, path, "test", time.Unix(1e9, 0), nil)
	if err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	if err := s.Write(&text); err != nil {
		t.Fatal(err)
	}
	return write(t, path, text.String())
}

func filmAt(t *testing.T, path string) *filmtest.Film {
	t.Helper()
	read := filmtest.APNG
	if strings.HasSuffix(path, ".avi") {
		read = filmtest.AVI
	}
	f, err := read(mustRead(t, path))
	if err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	return f
}

// same fails unless a frame has the pixels of a picture.
func same(t *testing.T, what string, frame *image.RGBA, picture string) {
	t.Helper()
	img := decode(t, picture)
	want := image.NewRGBA(img.Bounds())
	draw.Draw(want, want.Rect, img, image.Point{}, draw.Src)
	if want.Rect != frame.Rect || !bytes.Equal(want.Pix, frame.Pix) {
		t.Errorf("%s is not the picture of it", what)
	}
}

// Frames 1, 100 and 200 of a turn are what render draws from there, and other programs count 200.
func TestAFilmOf200FramesIsThePicturesOfTheProgram(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	turn := []string{"demo:mammoth:1500", "--som", "4x4x4", "--epochs", "2", "--zoom", "0.5", "--engine", "cpu",
		"--quiet"}
	for _, name := range []string{"turn.png", "turn.avi"} {
		ok(t, dir, append([]string{"film", "--of", "turn", "--size", "120x90", "-o", name}, turn...)...)
	}
	exact, near := filmAt(t, filepath.Join(dir, "turn.png")), filmAt(t, filepath.Join(dir, "turn.avi"))
	if len(exact.Frames) != 200 || len(near.Frames) != 200 || exact.Rate != 25 {
		t.Fatalf("%d and %d frames, %g a second", len(exact.Frames), len(near.Frames), exact.Rate)
	}
	for _, k := range []int{1, 100, 200} {
		out := fmt.Sprintf("still%d.png", k)
		ok(t, dir, append([]string{"render", "--turn", fmt.Sprint(360 * float64(k-1) / 200), "--size", "120x90", "-o",
			out}, turn...)...)
		same(t, fmt.Sprintf("frame %d", k), exact.Frames[k-1], filepath.Join(dir, out))
	}
	if bytes.Equal(exact.Frames[0].Pix, exact.Frames[99].Pix) {
		t.Error("nothing turns")
	}
	if _, err := exec.LookPath("ffprobe"); err != nil {
		t.Log(err)
		return
	}
	names := []string{"turn.avi", "turn.png"}
	if _, err := exec.LookPath("ffmpeg"); err == nil {
		for _, name := range []string{"turn.mp4", "turn.webm"} {
			ok(t, dir, append([]string{"film", "--of", "turn", "--size", "120x90", "-o", name}, turn...)...)
			names = append(names, name)
		}
	}
	for _, name := range names {
		args := []string{"-v", "error", "-count_frames", "-show_entries",
			"stream=width,height,nb_read_frames,r_frame_rate", "-of", "csv=p=0", filepath.Join(dir, name)}
		if name == "turn.png" {
			args = append([]string{"-f", "apng"}, args...)
		}
		said, err := exec.Command("ffprobe", args...).CombinedOutput()
		if got := strings.TrimSpace(string(said)); err != nil || got != "120,90,25/1,200" {
			t.Errorf("%s: ffprobe says %s (%v)", name, got, err)
		}
	}
}

// A film of cells has in each frame the picture that render makes of them: the share of a label, smoothed.
func TestFilmsInCells(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	turn := []string{"demo:cytometry:900", "--at", "BUV395-A,BUV496-A,BUV563-A", "--quiet", "--size", "160x120",
		"--draw", "density", "--smooth", "3px", "--colour", "population", "--cells-show", "share:doublet"}
	ok(t, dir, append([]string{"film", "--of", "turn", "--frames", "6", "-o", "cells.png"}, turn...)...)
	frames := filmAt(t, filepath.Join(dir, "cells.png")).Frames
	ok(t, dir, append([]string{"render", "--turn", "180", "-o", "still.png"}, turn...)...)
	same(t, "frame 4", frames[3], filepath.Join(dir, "still.png"))
	if bytes.Equal(frames[0].Pix, frames[3].Pix) {
		t.Error("nothing turns")
	}
}

// The film of a history goes through its moments; each frame is what render draws of a session that stands there.
func TestFilmOfAHistory(t *testing.T) {
	needsGL(t)
	dir := t.TempDir()
	d := dragged(t, dir)
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	look := []string{"--size", "150x110", "--zoom", "0.5", "--box", "-5:20,-5:20", "--engine", "cpu", "--quiet"}
	ok(t, dir, append([]string{"film", "s.blossom", "--frames", "9", "-o", "h.png"}, look...)...)
	f := filmAt(t, filepath.Join(dir, "h.png"))
	if len(f.Frames) != 9 {
		t.Fatalf("%d frames", len(f.Frames))
	}
	entries := d.History().Entries()
	for i, m := range []struct {
		frame, entry int
		title        string
	}{{0, 0, entries[0].Name}, {4, 1, "First drag"}, {8, 3, "Second drag"}} {
		now, there := d.StateAt(entries[m.entry].ID)
		if !there {
			t.Fatal(m)
		}
		at, out := filepath.Join(dir, fmt.Sprintf("at%d.blossom", i)), fmt.Sprintf("at%d.png", i)
		saveRecipe(t, d.At(now), at)
		ok(t, dir, append([]string{"render", "--session", at, "--title", m.title, "-o", out}, look...)...)
		same(t, fmt.Sprintf("frame %d", m.frame+1), f.Frames[m.frame], filepath.Join(dir, out))
	}
	// The same job gives the same film, and the film carries it.
	ok(t, dir, "job", write(t, filepath.Join(dir, "again.json"), ok(t, dir, "job", "--from", "h.png").stdout))
	if !bytes.Equal(mustRead(t, filepath.Join(dir, "film.png")), mustRead(t, filepath.Join(dir, "h.png"))) {
		t.Error("made again it has other bytes")
	}
	// A drag and a blend are parts of it.
	ok(t, dir, append([]string{"film", "s.blossom", "--of", "drag", "--from", "Second drag", "--frames", "5", "-o",
		"drag.png"}, look...)...)
	drag := filmAt(t, filepath.Join(dir, "drag.png"))
	same(t, "the end of the drag", drag.Frames[4], filepath.Join(dir, "at2.png"))
	ok(t, dir, append([]string{"film", "s.blossom", "--of", "blend", "--from", "1", "--to", "now", "--no-caption",
		"--title", "Second drag", "--frames", "3", "-o", "blend.png"}, look...)...)
	same(t, "the end of the blend", filmAt(t, filepath.Join(dir, "blend.png")).Frames[2], filepath.Join(dir, "at2.png"))
}

// A film of any kind carries how it was made, however long that is.
func TestAFilmCarriesItsJobHoweverLong(t *testing.T) {
	needsGL(t)
	if _, err := exec.LookPath("ffmpeg"); err != nil {
		t.Skip(err)
	}
	dir := t.TempDir()
	d := dragged(t, dir)
	rnd := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		l := parts.Landmarks.Of(d.State())
		for i := range l.Len() {
			l, _ = l.Move([]int{i}, []float32{rnd.Float32(), rnd.Float32()})
		}
		d.Do("Drag", func(s *state.State) { parts.Landmarks.Put(s, l.Arranged()) })
	}
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	film := []string{"film", "s.blossom", "--frames", "2", "--size", "64x64", "--engine", "cpu", "-o"}
	for _, name := range []string{"a.mp4", "a.webm", "a.avi"} {
		if said := ok(t, dir, append(film, name)...).stderr; strings.Contains(said, "made") {
			t.Errorf("%s: %q", name, said)
		}
		if n := len(ok(t, dir, "job", "--from", name).stdout); n < 100_000 {
			t.Errorf("the job of %s is of %d bytes", name, n)
		}
	}
	if said := ok(t, dir, append(film, "b.mp4", "--no-recipe")...).stderr; strings.Contains(said, "made") {
		t.Errorf("without a job it says %q", said)
	}
}

// Trainings and runs are filmed; the last frame of a training is the map that is made of the same flags.
func TestFilmsOfWhatGoesOn(t *testing.T) {
	needsGL(t)
	dir := jobData(t)
	look := []string{"--size", "120x90", "--zoom", "0.5", "--engine", "cpu", "--quiet"}
	said := ok(t, dir, append([]string{"film", "a.csv", "--at", "a,b,c", "--frames", "3", "-o", "x.png", "--json"},
		look...)...).stdout
	if !strings.Contains(said, `"of": "turn"`) || !strings.Contains(said, `"frames": 3`) {
		t.Errorf("it says %s", said)
	}
	for _, line := range []string{"--som 4x4 --epochs 3 --of training", "--kmeans 9 --of training", "--of tsne",
		"--of umap --dims 3"} {
		args := append(append([]string{"film", "a.csv", "--frames", "6", "-o", "x.png"},
			strings.Fields(line)...), look...)
		ok(t, dir, args...)
		f := filmAt(t, filepath.Join(dir, "x.png"))
		if len(f.Frames) != 6 || bytes.Equal(f.Frames[0].Pix, f.Frames[3].Pix) {
			t.Errorf("%s: %d frames, or nothing moves", line, len(f.Frames))
		}
	}
	box := []string{"--som", "4x4", "--epochs", "3", "--box", "-2:5,-2:5"}
	ok(t, dir, append(append([]string{"film", "a.csv", "--frames", "4", "--no-caption", "-o", "t.png"},
		box...), look...)...)
	ok(t, dir, append(append([]string{"render", "a.csv", "-o", "t1.png"}, box...), look...)...)
	same(t, "the end of the training", filmAt(t, filepath.Join(dir, "t.png")).Frames[3], filepath.Join(dir, "t1.png"))
}

// Films of a sample say so, once, and their files do, whatever they are of.
func TestAFilmOfASampleSaysSo(t *testing.T) {
	needsGL(t)
	dir := jobData(t)
	const sample = "a sample of 100 of "
	for _, of := range []string{"tsne", "umap", "training --som 4x4 --epochs 3", "turn --at a,b,c"} {
		got := ok(t, dir, append([]string{"film", "a.csv", "--max-points", "100", "--frames", "3", "--size", "90x60",
			"--engine", "cpu", "-o", "x.png", "--of"}, strings.Fields(of)...)...)
		if n := strings.Count(got.stderr, sample); n != 1 {
			t.Errorf("%s: it is said %d times: %s", of, n, got.stderr)
		}
		file, err := os.ReadFile(filepath.Join(dir, "x.png"))
		if err != nil || !bytes.Contains(file, []byte("Disclaimer\x00"+sample)) {
			t.Errorf("%s: the file does not say it (%v)", of, err)
		}
	}
}

func TestFilmsThatCannotBe(t *testing.T) {
	dir := t.TempDir()
	d := dragged(t, dir)
	saveWhole(t, d, filepath.Join(dir, "s.blossom"))
	saveRecipe(t, d, filepath.Join(dir, "bare.blossom"))
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"film s.blossom -o x.gif", 2, "not written as gif"},
		{"film s.blossom -o -", 2, "standard output"},
		{"film s.blossom -o x.avi --background transparent", 2, "no transparency"},
		{"film s.blossom -o x.png --frames 1", 2, "a film of 1 frame "},
		{"film s.blossom -o x.png --frames 20 --seconds 2", 2, "--seconds"},
		{"film s.blossom -o x.png --fps 0", 2, "--fps 0"},
		{"film s.blossom -o x.png --of dance", 2, "dance"},
		{"film s.blossom -o x.png --of drag --from 77", 1, "no moment \"77\""},
		{"film s.blossom -o x.png --of turn", 1, "in 3D"},
		{"film bare.blossom -o x.png", 1, "nothing moves"},
		{"film points.csv -o x.png --of history", 2, "of a session"},
		{"film points.csv -o x.png --at a,b --of training", 2, "makes the map itself"},
		{"film s.blossom -o x.png --box 0:1,0:1,0:1", 2, "3 axes, and the map 2"},
		{"film s.blossom -o x.png --box 1:0,0:1", 2, "--box"},
		{"film s.blossom -o missing/x.png", 1, "folder does not exist"},
		{"film s.blossom -o s.blossom", 1, "is the input"},
	} {
		blossom(t, dir, strings.Fields(c.line)...).refused(t, c.code, c.want)
	}
	t.Setenv("PATH", dir)
	blossom(t, dir, "film", "s.blossom", "-o", "x.mp4").refused(t, 2, "x.mp4", "install ffmpeg, or write .avi or .png")
	if left, _ := filepath.Glob(filepath.Join(dir, "*x.*")); len(left) > 0 {
		t.Errorf("it leaves %v", left)
	}
	if _, err := os.Stat("/dev/full"); err == nil {
		needsGL(t)
		if err := os.Symlink("/dev/full", filepath.Join(dir, "full.png")); err != nil {
			t.Skip(err)
		}
		blossom(t, dir, "film", "s.blossom", "--frames", "3", "--size", "60x40", "-o", "full.png").refused(t, 1,
			"full.png", "disk is full")
	}
}

var howLong = regexp.MustCompile(` --(seconds|frames) [0-9]+`)

// The commands of docs/films.md make films.
func TestTheFilmsOfTheManual(t *testing.T) {
	needsGL(t)
	page := string(mustRead(t, filepath.Join("..", "..", "docs", "films.md")))
	dir := t.TempDir()
	d := dragged(t, dir)
	l, err := parts.Landmarks.Of(d.State()).Move([]int{4}, []float32{1, 1})
	if err != nil {
		t.Fatal(err)
	}
	d.Do("Move landmarks", func(s *state.State) { parts.Landmarks.Put(s, l) })
	saveWhole(t, d, filepath.Join(dir, "map.blossom"))
	ran := 0
	for line := range strings.Lines(page) {
		if !strings.HasPrefix(line, "blossom film ") {
			continue
		}
		line = howLong.ReplaceAllString(strings.TrimSpace(line), "")
		line = strings.ReplaceAll(line, `"Move landmarks"`, "Move_landmarks")
		args := strings.Fields(strings.TrimPrefix(line, "blossom "))
		for i, a := range args {
			args[i] = strings.ReplaceAll(a, "_", " ")
		}
		if _, err := exec.LookPath("ffmpeg"); err != nil && (strings.HasSuffix(line, ".mp4") ||
			strings.HasSuffix(line, ".webm")) {
			continue
		}
		ok(t, dir, append(args, "--frames", "3", "--size", "64x48", "--zoom", "0.3", "--quiet")...)
		if st, err := os.Stat(filepath.Join(dir, args[len(args)-1])); err != nil || st.Size() < 500 {
			t.Errorf("%s: %v", line, err)
		}
		ran++
	}
	if ran < 4 {
		t.Errorf("%d commands", ran)
	}
}
