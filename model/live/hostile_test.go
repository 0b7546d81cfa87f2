package live

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/landmarks/landmark"
)

// hostile is a file that somebody could be given, and what is said of it: words of the error, or of a warning where it
// is opened, "" where nothing is to be said. rows is how many it has, -1: it is refused.
type hostile struct {
	name    string
	content []byte
	rows    int
	say     string
}

// hostileFiles makes files of all kinds.
func hostileFiles(t *testing.T) []hostile {
	gz := func(parts ...string) []byte {
		var b bytes.Buffer
		for _, p := range parts {
			z := gzip.NewWriter(&b)
			z.Write([]byte(p))
			z.Close()
		}
		return b.Bytes()
	}
	array := func(dict string, data int) []byte {
		b := append([]byte("\x93NUMPY\x01\x00"), byte(len(dict)), byte(len(dict)>>8))
		return append(append(b, dict...), make([]byte, data)...)
	}
	dict := func(descr, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': False, 'shape': " + shape + ", }\n"
	}
	archive := func(members ...any) []byte {
		var b bytes.Buffer
		z := zip.NewWriter(&b)
		for i := 0; i < len(members); i += 2 {
			w, err := z.Create(members[i].(string))
			if err != nil {
				t.Fatal(err)
			}
			w.Write(members[i+1].([]byte))
		}
		z.Close()
		return b.Bytes()
	}
	saved := func(ext string) []byte {
		x, err := dataset.FromMatrix([]string{"FSC-A", "CD3"}, matrix.Matrix32{Rows: 4, Cols: 2,
			Data: []float32{1, 2, 3, 4, 5, 6, 7, 8}})
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(t.TempDir(), "x"+ext)
		if err := format.Save(t.Context(), path, x, nil); err != nil {
			t.Fatal(err)
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	fcs := saved(".fcs")
	edit := func(b []byte, old, new string) []byte {
		if len(old) != len(new) || !bytes.Contains(b, []byte(old)) {
			t.Fatalf("%q cannot become %q in %.400q", old, new, b)
		}
		return bytes.Replace(b, []byte(old), []byte(new), 1)
	}
	numbers := array(dict("<f4", "(2, 2)"), 16)
	s := func(text string) []byte { return []byte(text) }
	return []hostile{
		{"equal-names.csv", s("a,a,a\n1,2,3\n4,5,6\n"), 2, `several columns are named "a"`},
		{"nul.csv", s("a,b\n1,\x00\n2,3\n"), -1, "no format"},
		{"bell.csv", s("a,b\n1,\x07\n" + strings.Repeat("2,3\n", 50)), 51, "no number"},
		{"quote.csv", s("a,b\n\"1,2\n3,4\n"), -1, "never closed"},
		{"long-header.csv", s(strings.Repeat("x", 1<<20) + ",b\n1,2\n"), 1, ""},
		{"only-header-commas.csv", s(",,,\n1,2,3,4\n5,6,7,8\n"), 3, ""},
		{"only-comments.csv", s("# a\n# b\n"), -1, "no rows"},
		{"excel-errors.csv", s("a;b\n#DIV/0!;1\n#N/A;2\n3;#VALUE!\n"), 3, "counts as missing"},
		{"dates.csv", s("day,x\n2021-01-05,1\n2021-01-06,2\n"), 2, "dates are read as days"},
		{"percent.csv", s("x,y\n5 %,1\n6 %,2\n7,3\n"), 3, "the numbers are in %"},
		{"hex.csv", s("x,y\n1,0x10\n2,0x1f\n3,4\n4,5\n5,6\n"), 5, "2 cells that are no number"},
		{"huge-exponent.csv", s("x,y\n1e99999999999,1\n2,1e-99999999999\n"), 2, "beyond"},
		{"long-digits.csv", s("x,y\n" + strings.Repeat("9", 5000) + ",1\n1,2\n"), 2, "beyond"},
		{"mixed-ends.csv", s("a,b\r\n1,2\n3,4\r\n5,6"), 3, ""},
		{"no-break.csv", s("a;b\n1\u00a0000;2\n\u22125;3\n"), 2, ""},
		{"arabic.csv", s("a,b\n١,٢\n٣,٤\n1,2\n"), 3, ""},
		{"bidi.csv", s("a\u202e,b\n1,2\n3,4\n"), 2, ""},
		{"formula.csv", s("a,b\n=1+1,2\n@x,3\n4,5\n5,6\n6,7\n"), 5, "no number"},
		{"ragged.csv", s("a,b\n1,2\n3\n4,5\n"), -1, "line 3 has 1 cell"},
		{"sep-lies.csv", s("sep=;\na,b\n1,2\n3,4\n"), 2, "semicolons separate cells; commas do"},
		{"sep-only.csv", s("sep=;\n"), -1, "no rows"},
		{"json.csv", s(`[{"a":1},{"a":2}]`), -1, "is JSON"},
		{"page.csv", s("<!doctype html><title>Sign in</title>"), -1, "web page"},
		{"sheet.csv", s("PK\x03\x04\x14\x00xl/workbook.xml"), -1, "zip archive"},
		{"utf16-cut.csv", s("\xff\xfea\x00,\x00b\x00\n\x001\x00,\x002\x00\n\x003"), -1, "ends too early"},
		{"surrogates.csv", s("a,b\n\xed\xa0\x80,1\nx,2\n"), 2, ""},
		{"gz-in-gz.csv.gz", gz(string(gz("a,b\n1,2\n"))), -1, "not a text table inside"},
		{"members.csv.gz", gz("a,b\n1,2\n", "3,4\n"), 2, ""},
		{"tail.csv.gz", append(gz("a,b\n1,2\n"), "tail"...), -1, "copy it again"},
		{"empty.csv.gz", gz(""), -1, "only empty lines"},
		{"bomb.csv.gz", bytes.Repeat(gz(strings.Repeat("1,2\n", 1<<20)), 2000), -1, "memory"},
		{"shape.npy", array(dict("<f4", "(-2, 2)"), 16), -1, "shape"},
		{"overflow.npy", array(dict("<f4", "(4294967296, 4294967296)"), 16), -1, "shape"},
		{"objects.npy", array(dict("|O", "(2, 2)"), 32), -1, "Python objects"},
		{"complex.npy", array(dict("<c8", "(2, 2)"), 32), -1, "type"},
		{"cube.npy", array(dict("<f4", "(2, 2, 2)"), 32), -1, "3 dimensions"},
		{"cut.npy", array(dict("<f8", "(1000, 1000)"), 800), -1, "is cut"},
		{"long.npy", array(dict("<f4", "(2, 2)"), 20), 2, "4 bytes after the array"},
		{"version.npy", append([]byte("\x93NUMPY\x09\x00"), numbers[8:]...), -1, "version 9"},
		{"no-columns.npy", array(dict("<f4", "(5, 0)"), 0), -1, "no columns"},
		{"traversal.npz", archive("../../etc/x.npy", numbers), 2, ""},
		{"twice.npz", archive("x.npy", numbers, "x.npy", numbers), 2, "2 arrays"},
		{"no-arrays.npz", archive("x.txt", s("1,2\n")), -1, "no array"},
		{"long-member.npz", archive("x.npy", append(bytes.Clone(numbers), 0)), -1, "longer than its header"},
		{"flipped.npz", flipped(archive("x.npy", numbers)), -1, "damaged"},
		{"sparse.npz", archive("format.npy", array(dict("|S3", "()"), 3), "shape.npy", array(dict("<i8", "(2,)"), 16),
			"data.npy", numbers, "indices.npy", numbers, "indptr.npy", numbers), -1, "kind"},
		{"cut.fcs", fcs[:len(fcs)-9], -1, "cut"},
		{"header.fcs", fcs[:40], -1, "cut"},
		{"letters.fcs", edit(fcs, "FCS3.1    ", "FCS3.1   x"), 4, ""},
		{"parameters.fcs", edit(fcs, "$PAR|2", "$PAR|9"), -1, "contradicts itself"},
		{"no-parameters.fcs", edit(fcs, "$PAR|2", "$PAR|0"), -1, "no columns"},
		{"bits.fcs", edit(fcs, "$P1B|32", "$P1B|33"), -1, "$P1B"},
		{"type.fcs", edit(fcs, "$DATATYPE|F", "$DATATYPE|Q"), -1, "DATATYPE"},
		{"mode.fcs", edit(fcs, "$MODE|L", "$MODE|H"), -1, "MODE"},
		{"events.fcs", edit(fcs, "$TOT|4", "$TOT|9"), 4, "is 9, and there are 4"},
		{"order.fcs", edit(fcs, "$BYTEORD|1,2,3,4", "$BYTEORD|1,1,1,1"), -1, "BYTEORD"},
		{"empty.blossom", s("{}"), -1, "is JSON"},
		{"cut.blossom", s(`{"format": "blossom session", "version": 2, "data": {"path": `), -1, "session"},
		{"future.blossom", s(`{"format": "blossom session", "version": 99}`), -1, "version 99"},
		{"no-data.blossom", s(`{"format": "blossom session", "version": 2}`), -1, "where its data is"},
		{"wrong-type.blossom", s(`{"format": "blossom session", "version": 2, "data": {"path": 7}}`), -1, "session"},
		{"gone.blossom", s(`{"format": "blossom session", "version": 2, "data": {"path": "/nowhere/x.csv"}}`), -1,
			"x.csv"},
		{"parts.blossom",
			s(`{"format": "blossom session", "version": 2, "seed": 1, "data": {"path": "demo:tesseract:50",
			"points": 50, "columns": 5}, "parts": {"landmarks": {"version": 1, "value": 7}}}`), -1, "transform"},
	}
}

// flipped changes a byte of the first member's data.
func flipped(b []byte) []byte {
	at := bytes.Index(b, []byte("PK\x07\x08")) - 3
	if at < 0 {
		at = len(b) / 2
	}
	b[at] ^= 0x10
	return b
}

// hostileLandmarks are landmark files, with what is said.
var hostileLandmarks = map[string]string{
	``:                                "ends too early",
	`null`:                            "not a landmarks file",
	`[]`:                              "an array where an object should be",
	`{}`:                              "not a landmarks file",
	`{"format": "blossom landmarks"}`: "version 0",
	`{"format": "blossom landmarks", "version": 1}`:                                            "no landmarks",
	`{"format": "blossom landmarks", "version": 1, "landmarks": [[null, 1]]}`:                  "a value is missing",
	`{"format": "blossom landmarks", "version": 1e99, "landmarks": []}`:                        "no version",
	`{"format": "blossom landmarks", "version": 1, "columns": [{"name": "a"}, {"name": "a"}]}`: "no landmarks",
	`{"format": "blossom landmarks", "version": 1` + strings.Repeat(`, "x": [[[[[[[[[`, 2000):  "not a landmarks file",
}

// No file, whatever is in it, is opened without a word if it is not what it seems, panics, or takes much memory.
func TestHostileFiles(t *testing.T) {
	dir := t.TempDir()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, h := range hostileFiles(t) {
		t.Run(h.name, func(t *testing.T) {
			path := filepath.Join(dir, h.name)
			if err := os.WriteFile(path, h.content, 0o600); err != nil {
				t.Fatal(err)
			}
			started := time.Now()
			opened, err := readHostile(t, path)
			if took := time.Since(started); took > 2*time.Minute {
				t.Errorf("it hangs: it took %s", took)
			}
			said := ""
			if err != nil {
				p := problem.As(err)
				if said = err.Error(); p.What == "" || strings.ContainsAny(said, "\n\r") {
					t.Errorf("no line in words: %q", said)
				}
				t.Logf("REFUSED %s", strings.ReplaceAll(said, dir+"/", ""))
				if h.rows >= 0 {
					t.Errorf("refused: %s", said)
				}
			} else {
				said = strings.Join(opened.Warnings, "\n")
				t.Logf("READ %d x %d: %q", opened.Points, len(opened.Columns), said)
				if opened.Points != h.rows {
					t.Errorf("%d rows, want %d", opened.Points, h.rows)
				}
			}
			if !strings.Contains(said, h.say) {
				t.Errorf("%q does not say %q", said, h.say)
			}
		})
	}
	for text, say := range hostileLandmarks {
		f, err := landmark.Read(strings.NewReader(text), "l.json")
		if err == nil {
			t.Errorf("%.60q is read as %v", text, f)
			continue
		}
		if p := problem.As(err); p.What == "" || p.Remedy == "" || !strings.Contains(p.Error(), say) {
			t.Errorf("%.60q: %v", text, err)
		}
		t.Logf("LANDMARKS %.60q: %v", text, err)
	}
	var after runtime.MemStats
	runtime.ReadMemStats(&after)
	if after.HeapSys > before.HeapSys+256<<20 {
		t.Errorf("%d MiB were taken", (after.HeapSys-before.HeapSys)>>20)
	}
}

// readHostile opens a data file or a session.
func readHostile(t *testing.T, path string) (*dataset.Dataset, error) {
	o := format.Options{Memory: 1 << 30}
	if !session.Is(path) {
		return format.Open(t.Context(), path, o)
	}
	opened, err := opening.Load(t.Context(), []string{path}, o, nil)
	if err != nil {
		return nil, err
	}
	return opened.Doc.Data, nil
}
