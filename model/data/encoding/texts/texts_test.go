package texts

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"pgregory.net/rapid"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
)

// in encodes a text as UTF-16 in an order of bytes.
func in(order binary.AppendByteOrder, text string) (out []byte) {
	for _, u := range utf16.Encode([]rune(text)) {
		out = order.AppendUint16(out, u)
	}
	return out
}

// One sheet is the same however a spreadsheet has saved it: encoding, marks, separators, line ends, quotes.
func TestASheetIsReadHoweverItWasSaved(t *testing.T) {
	const text = "file_name,condition,note\na.fcs,ctrl,\"one, two\"\n\n,,\nb.fcs,case,\"a \"\"quote\"\"\"\n"
	other := func(sep string) []byte {
		return []byte("file_name" + sep + "condition" + sep + "note\na.fcs" + sep + "ctrl" + sep +
			"\"one, two\"\nb.fcs" + sep + "case" + sep + "\"a \"\"quote\"\"\"\n")
	}
	for name, content := range map[string][]byte{
		"plain": []byte(text), "mark": []byte("\xef\xbb\xbf" + text), "semicolons": other(";"), "tabs": other("\t"),
		"bars": other("|"), "cr": []byte(strings.ReplaceAll(text, "\n", "\r")),
		"crlf":          []byte(strings.ReplaceAll(text, "\n", "\r\n")),
		"utf16 le mark": append([]byte("\xff\xfe"), in(binary.LittleEndian, text)...),
		"utf16 be mark": append([]byte("\xfe\xff"), in(binary.BigEndian, text)...),
		"utf16 le":      in(binary.LittleEndian, text), "utf16 be": in(binary.BigEndian, text),
		"columns once used": []byte("file_name,condition,note,,\na.fcs,ctrl,\"one, two\",,\n" +
			"b.fcs,case,\"a \"\"quote\"\"\",,\n"),
	} {
		path := filepath.Join(t.TempDir(), "sheet.csv")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := Read(t.Context(), path)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(got.Heads, []string{"file_name", "condition", "note"}) || len(got.Rows) != 2 ||
			!slices.Equal(got.Rows[0], []string{"a.fcs", "ctrl", "one, two"}) ||
			!slices.Equal(got.Rows[1], []string{"b.fcs", "case", `a "quote"`}) || len(got.Notes) > 0 {
			t.Errorf("%s: read is %q %q, %q", name, got.Heads, got.Rows, got.Notes)
		}
	}
}

func TestLatinLettersAndLooseQuotesAreRead(t *testing.T) {
	path := filepath.Join(t.TempDir(), "sheet.csv")
	if err := os.WriteFile(path, []byte("file;arzt;rohr\na;M\xfcller;5\" lang\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := Read(t.Context(), path)
	if err != nil || !slices.Equal(got.Rows[0], []string{"a", "Müller", `5" lang`}) {
		t.Errorf("read is %+v, %v", got, err)
	}
}

// A sheet whose rows are not as long as its names is told with the line, and a remedy.
func TestRaggedRowsAreToldByTheirLines(t *testing.T) {
	for name, c := range map[string]struct{ text, what, note string }{
		"long":        {"file,group\na,x\nb,y,z\n", "line 3 has 3 cells, and the first line names 2 columns", ""},
		"after blank": {"file,group\n\na,x\n\nb,y,z\n", "line 5 has 3 cells, and the first line names 2 columns", ""},
		"after lines": {"file,group\na,\"x\ny\"\nb,y,z\n", "line 4 has 3 cells, and the first line names 2 columns",
			""},
		"short": {"file,group,day\na,x,1\nb,y\n", "",
			"line 3 has fewer cells than the first line: the rest of it is empty"},
		"many short": {"file,group,day\na,x\nb,y\nc,1,2\n", "",
			"2 lines, the first of them line 2, have fewer cells than the first line: the rest of them is empty"},
		"open quote": {"file,group\na,\"x\nb,y\n", "the quotes of line 2 do not fit together", ""},
		"blank":      {" \n\n", "has only empty lines", ""},
		"separators": {",,\n,,\n", "has only empty lines", ""},
	} {
		got, err := Parse("s.csv", c.text)
		switch {
		case c.what == "" && (err != nil || !slices.Equal(got.Notes, []string{c.note})):
			t.Errorf("%s: %+v, %v", name, got, err)
		case c.what != "" && (err == nil || problem.As(err).What != c.what || problem.As(err).Remedy == ""):
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestSpreadsheetsAreRefusedWithTheRemedy(t *testing.T) {
	for content, what := range map[string]string{
		"PK\x03\x04\x14\x00rest":               "a spreadsheet (XLSX, ODS)",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\x00": "an old spreadsheet",
		"<!DOCTYPE html><html></html>":         "a web page", "\x00\x01\x02\x03\x00\x00": "no text table",
		`{"a": [1, 2, 3]}`: "JSON",
	} {
		path := filepath.Join(t.TempDir(), "samples.xlsx")
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := Read(t.Context(), path)
		if p := problem.As(err); err == nil || !strings.Contains(p.What, what) || !strings.Contains(p.Remedy, "CSV") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", content, err)
		}
	}
}

// A table that is written is read again as it was, whatever stands in its cells.
func TestWhatIsWrittenIsReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 6).Draw(t, "columns")
		cell := rapid.Custom(func(t *rapid.T) string {
			s := rapid.StringMatching(`[ -~äöüß語😀]{0,12}`).Draw(t, "cell")
			return strings.TrimSpace(s)
		})
		heads := rapid.SliceOfN(rapid.StringMatching(`[a-z][a-z ]{0,6}[a-z]`), n, n).Draw(t, "heads")
		var rows [][]string
		for range rapid.IntRange(0, 20).Draw(t, "rows") {
			row := rapid.SliceOfN(cell, n, n).Draw(t, "row")
			row[0] = "x" + row[0] // an empty row is left out
			rows = append(rows, row)
		}
		ending := rapid.SampledFrom([]string{".csv", ".tsv"}).Draw(t, "ending")
		var b bytes.Buffer
		if err := Write(&b, "sheet"+ending, heads, rows); err != nil {
			t.Fatal(err)
		}
		got, err := Parse("sheet"+ending, b.String())
		if err != nil {
			t.Fatalf("%v: %q", err, b.String())
		}
		if !slices.Equal(got.Heads, heads) || !slices.EqualFunc(got.Rows, rows, slices.Equal[[]string]) {
			t.Fatalf("written %q %q, read %q %q", heads, rows, got.Heads, got.Rows)
		}
	})
}

func FuzzTexts(f *testing.F) {
	fuzzing.Target(f, fuzzing.Texts("file,group\na,b\n", "a;b\n1,5;\"x\ny\"\n", "\"", "a\tb\r\n", ",,,\n",
		"a,b\n1\n1,2,3\n"), 5000, func(t testing.TB, b []byte) string {
		got, err := Parse("fuzz", string(b))
		if err != nil {
			if p := problem.As(err); p.Remedy == "" {
				t.Fatalf("without a remedy: %v", err)
			}
			return err.Error()
		}
		if len(got.Rows) != len(got.Lines) || len(got.Heads) == 0 {
			t.Fatalf("%d rows, %d lines, %d names", len(got.Rows), len(got.Lines), len(got.Heads))
		}
		for _, row := range got.Rows {
			if len(row) != len(got.Heads) {
				t.Fatalf("a row of %d cells under %d names", len(row), len(got.Heads))
			}
		}
		return "read"
	})
}
