package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/scale"
)

// partsInput is a folder with files of different sizes, and landmarks trained on one of them.
func partsInput(t *testing.T, ext string, points ...int) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "data"), 0o777); err != nil {
		t.Fatal(err)
	}
	for i, n := range points {
		ok(t, dir, "demo", fmt.Sprintf("cytometry:%d", n), "-o", fmt.Sprintf("data/s %d%s", i, ext))
	}
	ok(t, dir, "train", "data/s 0"+ext, "--som", "6x6", "--transform", "asinh:150", "-o", "map.json")
	return dir
}

// manifest is that of a finished folder, whose parts are there with the sums that it says.
func manifest(t *testing.T, folder string) *scale.Manifest {
	t.Helper()
	m, err := scale.ReadManifest(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.Parts {
		if sum := sumOfFile(t, filepath.Join(folder, p.File)); sum != p.SHA256 {
			t.Errorf("%s has another sum than the manifest says", p.File)
		}
	}
	return m
}

// joined are the coordinates of all parts, one after the other, as text.
func joined(t *testing.T, folder string) (rows []string) {
	t.Helper()
	for _, p := range manifest(t, folder).Parts {
		rows = append(rows, rowsOf(t, filepath.Join(folder, p.File))...)
	}
	return rows
}

// rowsOf are the rows of a table, each as text.
func rowsOf(t *testing.T, path string) []string {
	t.Helper()
	ds := read(t, path)
	rows := make([]string, ds.Points)
	for _, c := range ds.Columns {
		for i, v := range c.Values {
			rows[i] += fmt.Sprint(v, " ")
		}
	}
	return rows
}

// Parts of many files are the map of all files in one run, to the last bit, whatever the format.
func TestPartsAreTheMapOfAllFiles(t *testing.T) {
	for _, ext := range []string{".npy", ".fcs", ".csv"} {
		t.Run(ext, func(t *testing.T) {
			dir := partsInput(t, ext, 400, 1, 130, 77)
			ok(t, dir, "embed", "data/*"+ext, "--landmarks", "map.json", "-o", "out/")
			ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "all.npy")
			want := rowsOf(t, filepath.Join(dir, "all.npy"))
			if got := joined(t, filepath.Join(dir, "out")); len(want) != 608 || !slices.Equal(got, want) {
				t.Errorf("%d rows of parts are not the %d rows of one run", len(got), len(want))
			}
			m := manifest(t, filepath.Join(dir, "out"))
			if m.Rows != 608 || len(m.Parts) != 4 || m.Parts[2].First != 401 || m.Parts[3].Rows != 77 {
				t.Errorf("the manifest says %+v", m)
			}
		})
	}
}

// Parts that are missing, torn or damaged are made again, whole ones stay, and status says which is which.
func TestPartsAreResumed(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200, 250, 100)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/")
	out := filepath.Join(dir, "out")
	before := manifest(t, out)
	part := func(i int, ext string) string { return filepath.Join(out, "parts", fmt.Sprintf("%06d%s", i, ext)) }
	flip := func(path string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		text[len(text)-1] ^= 1
		write(t, path, string(text))
	}
	os.Remove(part(0, ".json"))      // killed before its receipt
	flip(part(1, ".npy"))            // a bit of the disk
	os.Truncate(part(2, ".npy"), 64) // a torn file
	os.Remove(filepath.Join(out, "manifest.json"))
	kept, _ := os.Stat(part(3, ".npy"))
	var s scale.Status
	parse(t, ok(t, dir, "status", "out", "--json").stdout, &s)
	if s.Done != 2 || s.Parts != 4 || s.Finished || s.RowsDone != 300 { // the flipped one has its size
		t.Errorf("status says %+v", s)
	}
	blossom(t, dir, "finish", "out").refused(t, 1, "3 of 4 parts are missing", "blossom resume out")
	ok(t, dir, "resume", "out")
	if after := manifest(t, out); !slices.Equal(before.Parts, after.Parts) {
		t.Errorf("resumed, the parts are %+v, before %+v", after.Parts, before.Parts)
	}
	if now, _ := os.Stat(part(3, ".npy")); !now.ModTime().Equal(kept.ModTime()) {
		t.Error("a part that was whole has been made again")
	}
	if text := ok(t, dir, "status", "out").stdout; !strings.Contains(text, "4 of 4 parts, 850 of 850 rows; finished") {
		t.Errorf("status says %q", text)
	}
	if said := ok(t, dir, "resume", "out").stderr; !strings.Contains(said, "nothing was missing") {
		t.Errorf("resume says %q", said)
	}
	os.RemoveAll(filepath.Join(out, "parts"))
	if text := ok(t, dir, "status", "out").stdout; !strings.Contains(text, "lacks 4 parts by now") {
		t.Errorf("status says %q", text)
	}
}

// The sample of a finished folder is the same however rows lie in files; it opens as a session of the map, which places
// its points where the parts have them.
func TestTheSampleIsOfAllRows(t *testing.T) {
	for _, ext := range []string{".fcs", ".npy"} {
		dir := partsInput(t, ext, 400, 1, 130, 77)
		ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--shown", "100")
		var paths []string
		for i := range 4 {
			paths = append(paths, filepath.Join(dir, "data", fmt.Sprintf("s %d%s", i, ext)))
		}
		together, err := source.All(t.Context(), paths, match.How{}, format.Options{})
		if err == nil {
			err = format.Save(t.Context(), filepath.Join(dir, "all"+ext), together, nil)
		}
		if err != nil {
			t.Fatal(err)
		}
		ok(t, dir, "embed", "all"+ext, "--landmarks", "map.json", "-o", "one/", "--shown", "100")
		for _, out := range []string{"out", "one"} {
			ok(t, dir, "embed", "--session", out+"/sample.json", "-o", out+".csv")
			if m := manifest(t, filepath.Join(dir, out)); m.Shown != 100 {
				t.Errorf("%s: a sample of %d", out, m.Shown)
			}
		}
		several, one := rowsOf(t, filepath.Join(dir, "out.csv")), rowsOf(t, filepath.Join(dir, "one.csv"))
		if len(one) != 100 || !slices.Equal(several, one) {
			t.Errorf("%s: %d points of several files are not the %d of one", ext, len(several), len(one))
		}
		all := map[string]bool{}
		for _, r := range joined(t, filepath.Join(dir, "out")) {
			all[r] = true
		}
		for i, r := range one {
			if !all[r] {
				t.Errorf("%s: point %d of the sample is at %s, where no part has one", ext, i, r)
				break
			}
		}
	}
}

// Files beside a part that are damaged are named by status --check, and by resume, which makes the part again.
func TestResumeSaysWhatItHasMended(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/")
	cells, sample := filepath.Join("parts", "000001.cells"), filepath.Join("parts", "000000.sample.parquet")
	if err := os.Truncate(filepath.Join(dir, "out", cells), 20); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(dir, "out", sample)); err != nil {
		t.Fatal(err)
	}
	if said := ok(t, dir, "status", "out", "--check").stdout; !strings.Contains(said, cells+" has other bytes") ||
		!strings.Contains(said, sample+" is missing") {
		t.Errorf("status says %q", said)
	}
	if said := ok(t, dir, "resume", "out").stderr; !strings.Contains(said, "2 of 2 parts made in out") ||
		!strings.Contains(said, "as they were missing: "+sample) ||
		!strings.Contains(said, "as they were damaged: "+cells) {
		t.Errorf("resume says %q", said)
	}
	if said := ok(t, dir, "status", "out", "--check").stdout; !strings.Contains(said, "; finished") {
		t.Errorf("status says %q", said)
	}
}

// A folder whose sample is torn is not finished, for programs either, until resume has mended it.
func TestADamagedFolderIsNotFinished(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/")
	sample := filepath.Join(dir, "out", scale.SampleFile)
	if err := os.Truncate(sample, 50); err != nil {
		t.Fatal(err)
	}
	finished := func() bool {
		t.Helper()
		var s statusSaid
		parse(t, ok(t, dir, "status", "out", "--json").stdout, &s)
		if s.Finished != (len(s.Damaged) == 0) {
			t.Errorf("%+v", s)
		}
		return s.Finished
	}
	if finished() {
		t.Error("a torn sample is finished")
	}
	if said := ok(t, dir, "resume", "out").stderr; !strings.Contains(said, "made again, as they were damaged: "+
		scale.SampleFile) || strings.Contains(said, "nothing was missing") {
		t.Errorf("it says %q", said)
	}
	if !finished() {
		t.Error("what was mended is not finished")
	}
}

// A part whose program is killed leaves no receipt; another makes it, with the same bytes.
func TestAKilledPartIsMadeByAnother(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 60_000)
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "whole/")
	// the plan alone
	ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--runner", "print:sge")
	c := command(t, dir, "part", "out", "--shard", "1/2")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for writes := false; !writes; time.Sleep(time.Millisecond) { // or has written, before it was seen
		writing, _ := filepath.Glob(filepath.Join(dir, "out", "parts", ".*.part"))
		written, _ := filepath.Glob(filepath.Join(dir, "out", "parts", "0*"))
		if writes = len(writing)+len(written) > 0; t.Context().Err() != nil {
			return
		}
	}
	c.Process.Kill()
	c.Wait()
	ok(t, dir, "part", "out/plan.json", "--shard", "0/2")
	auto := command(t, dir, "part", "out", "--shard", "auto")
	auto.Env = append(os.Environ(), "SGE_TASK_ID=2")
	if r := finish(t, auto); r.code != 0 {
		t.Fatal(r.stderr)
	}
	ok(t, dir, "finish", "out")
	want, got := manifest(t, filepath.Join(dir, "whole")), manifest(t, filepath.Join(dir, "out"))
	if !slices.Equal(want.Parts, got.Parts) {
		t.Errorf("parts %+v, in one go %+v", got.Parts, want.Parts)
	}
	for _, name := range names(t, filepath.Join(dir, "out", "parts")) {
		if strings.HasPrefix(name, ".") {
			t.Errorf("%s is left behind", name)
		}
	}
}

// Wishes that parts cannot fulfil are refused in one line, and nothing is half written.
func TestPartsThatCannotBeMade(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200)
	embed := func(args ...string) result { return blossom(t, dir, append([]string{"embed"}, args...)...) }
	map_ := []string{"--landmarks", "map.json", "-o"}
	with := func(paths ...string) []string { return append(paths, map_...) }
	embed("data", "-o", "out/").refused(t, 2, "blossom train")
	embed(append(with("none*.npy"), "out/")...).refused(t, 1, "none*.npy", "no file")
	embed(append(with("data"), "out/", "--runner", "beam")...).refused(t, 2, "no runner")
	embed(append(with("data"), "out/", "--max-points", "10")...).refused(t, 2, "--max-points")
	embed(append(with("data"), "map.json", "--runner", "local")...).refused(t, 1, "map.json", "is a file")
	embed(append(with("data"), "out/", "--part-format", "doc")...).refused(t, 2, "doc")
	embed(append(with("data/s 0.npy", "data/s 0.npy"), "out/")...).refused(t, 1, "named twice")
	embed(append(with("demo:torus-knot"), "out/")...).refused(t, 1, "is no file")
	write(t, filepath.Join(dir, "other.csv"), "a,b\n1,2\n")
	embed(append(with("data", "other.csv"), "out/")...).refused(t, 1, "other.csv")
	embed(append(with("data"), "out/", "--stall", "0s")...).refused(t, 2, "--stall 0s")
	for _, flag := range []string{"--shown=5", "--stall=5m", "--runner-args=x", "--slurm-args=x"} {
		embed(append(with("data"), "one.csv", flag)...).refused(t, 2, strings.Split(flag, "=")[0], "one file")
	}
	if _, err := os.Stat(filepath.Join(dir, "out")); err == nil {
		t.Error("a folder was made for nothing")
	}
	os.Mkdir(filepath.Join(dir, "full"), 0o777)
	write(t, filepath.Join(dir, "full", "mine.txt"), "mine")
	embed(append(with("data"), "full/")...).refused(t, 1, "full", "other files")

	ok(t, dir, append([]string{"embed"}, append(with("data"), "out/")...)...)
	embed(append(with("data"), "out/", "--k", "5")...).refused(t, 1, "out", "other work")
	part := func(args ...string) result { return blossom(t, dir, append([]string{"part", "out"}, args...)...) }
	part("--shard", "2/2").refused(t, 2, "0/2 to 1/2")
	part("--shard", "0/3").refused(t, 2, "2 parts")
	part("--shard", "x").refused(t, 2, "I/N")
	blossom(t, dir, "status", "data").refused(t, 1, "plan.json")
	blossom(t, dir, "resume", "map.json").refused(t, 1, "is no plan")

	// data that changed since
	os.Remove(filepath.Join(dir, "out", "parts", "000001.json"))
	ok(t, dir, "demo", "cytometry:201", "-o", "data/s 1.npy")
	part("--shard", "1/2").refused(t, 1, "s 1.npy", "has changed since the plan was made")
	blossom(t, dir, "resume", "out", "--quiet").refused(t, 1, "1 of 2 parts are missing", "has changed")
	ok(t, dir, "resume", "out", "--quiet", "--skip-bad")
	if m := manifest(t, filepath.Join(dir, "out")); len(m.Skipped) != 1 || m.Rows != 300 {
		t.Errorf("the manifest says %+v", m)
	}
}

// A pattern in quotes names files to a command that makes one file, as to one that makes parts of them.
func TestAPatternNamesTheFilesOfOneTable(t *testing.T) {
	dir := partsInput(t, ".npy", 300, 200)
	embed := []string{"embed", "--landmarks", "map.json", "-o"}
	ok(t, dir, append(embed, "named.npy", "data/s 0.npy", "data/s 1.npy")...)
	ok(t, dir, append(embed, "fits.npy", "data/s*.npy")...)
	if a, b := text(t, filepath.Join(dir, "named.npy")), text(t, filepath.Join(dir, "fits.npy")); a != b {
		t.Error("the pattern stands for other rows than its files")
	}
	if said := ok(t, dir, "info", "data/*[01].npy").stdout; !strings.Contains(said, "300 points") ||
		!strings.Contains(said, "200 points") {
		t.Errorf("info of a pattern says %s", said)
	}
	blossom(t, dir, append(embed, "none.npy", "data/x*.npy")...).refused(t, 1, "data/x*.npy", "no file has such a name")
	blossom(t, dir, append(embed, "data/s 1.npy", "data/s*.npy")...).refused(t, 1, "data/s 1.npy", "is the input")
	blossom(t, dir, "info", "x*.npy").refused(t, 1, "no file has such a name")
}

// How many rows of all parts have no place is said once they are made.
func TestRowsWithoutAPlaceAreSaid(t *testing.T) {
	dir := partsInput(t, ".csv", 300, 200)
	path := filepath.Join(dir, "data", "s 1.csv")
	lines := strings.Split(text(t, path), "\n")
	for _, i := range []int{3, 9} {
		lines[i] = strings.Repeat(",", strings.Count(lines[i], ","))
	}
	write(t, path, strings.Join(lines, "\n"))
	const want = "2 of 500 rows have a missing or infinite value and no place on the map"
	said := ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/").stderr
	if !strings.Contains(said, want) {
		t.Errorf("it says %q", said)
	}
	if m := manifest(t, filepath.Join(dir, "out")); m.Invalid != 2 {
		t.Errorf("%d rows have no place", m.Invalid)
	}
}

// Parts of another engine, variant or program are refused, unless the plan allows them.
func TestPartsOfAnotherEngineAreRefused(t *testing.T) {
	dir := partsInput(t, ".npy", 300)
	for _, mixed := range []bool{false, true} {
		out := filepath.Join(dir, fmt.Sprint("out-", mixed))
		args := []string{"embed", "data", "--landmarks", "map.json", "-o", out + "/", "--runner", "print:lsf"}
		if mixed {
			args = append(args, "--mixed")
		}
		ok(t, dir, args...)
		path := filepath.Join(out, "plan.json") // as if made on another machine
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		write(t, path, strings.Replace(string(text), `"fingerprint": "`, `"fingerprint": "other `, 1))
		r := blossom(t, dir, "part", out, "--shard", "0/1")
		if mixed && r.code != 0 {
			t.Error(r.stderr)
		} else if !mixed {
			r.refused(t, 1, "--mixed")
		}
	}
}

// Files for other schedulers name each part, and a kind that there is not is refused.
func TestJobsForOtherSchedulersArePrinted(t *testing.T) {
	dir := partsInput(t, ".npy", 50, 60, 70)
	for kind, words := range map[string]string{"sge": "#$ -t 1-3", "lsf": "blossom[1-3]", "pbs": "#PBS -J 0-2",
		"mpi": "mpirun -np 3", "k8s": "completions: 3", "awsbatch": "size=3"} {
		r := ok(t, dir, "embed", "data", "--landmarks", "map.json", "-o", "out/", "--runner", "print:"+kind)
		if !strings.Contains(r.stdout, words) || !strings.Contains(r.stdout, "plan.json") {
			t.Errorf("%s: %q lacks %q", kind, r.stdout, words)
		}
	}
	blossom(t, dir, "resume", "out", "--runner", "print:cron").refused(t, 2, "print:k8s")
	var plan struct{ Shards []json.RawMessage }
	text, _ := os.ReadFile(filepath.Join(dir, "out", "plan.json"))
	parse(t, string(text), &plan)
	if len(plan.Shards) != 3 {
		t.Errorf("the plan has %d shards", len(plan.Shards))
	}
}

func sumOfFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}
