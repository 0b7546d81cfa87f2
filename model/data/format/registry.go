package format

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/registry"
)

var formats = registry.New("format", func(f Format) string { return f.Name },
	func(a, b Format) int { return strings.Compare(a.Name, b.Name) })

// Register adds a format. It panics where the name is taken: two files claim one name.
func Register(f Format) { formats.Add(f) }

// All returns every format, by name.
func All() []Format { return formats.All() }

// Readable are the usual extensions of the formats that are read.
func Readable() (out []string) {
	for _, f := range All() {
		if f.Read != nil {
			out = append(out, f.Extensions[0])
		}
	}
	return out
}

// ForPath returns the format that the extension of path names, also below a ".gz".
func ForPath(path string) (Format, bool) {
	ext := extension(path)
	for _, f := range All() {
		if slices.Contains(f.Extensions, ext) {
			return f, true
		}
	}
	return Format{}, false
}

// OfFile returns the format that a file can be read in: the one that its ending names, or where that names none, the
// one that its content shows, unless that is text, which anything may be.
func OfFile(path string) (Format, bool) {
	if f, ok := ForPath(path); ok {
		return f, f.Read != nil
	}
	if _, err := statRegular(path); err != nil {
		return Format{}, false
	}
	head, err := readHead(path)
	if err != nil {
		return Format{}, false
	}
	f, ok := Detect(head, extension(path))
	return f, ok && !isTextFormat(f.Name)
}

// Detect returns the format that recognises the first bytes of a file best; ext (with dot) helps
// where the bytes do not tell.
func Detect(head []byte, ext string) (Format, bool) {
	best, score := Format{}, 0
	for _, f := range All() {
		if f.Read == nil || f.Sniff == nil {
			continue
		}
		if s := f.Sniff(head, strings.ToLower(ext)); s > score {
			best, score = f, s
		}
	}
	return best, score > 0
}

// extension returns the lower-case extension of path; of "a.csv.gz" that is ".csv".
func extension(path string) string {
	path = strings.ToLower(path)
	ext := filepath.Ext(path)
	if ext == ".gz" {
		if inner := filepath.Ext(strings.TrimSuffix(path, ext)); inner != "" {
			return inner
		}
	}
	return ext
}

// foreign are formats that people have and blossom does not read, by their first bytes.
var foreign = []struct{ magic, what string }{
	{"PK\x03\x04", "a zip archive (perhaps a spreadsheet)"},
	{"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "an old spreadsheet or document"},
	{"%PDF", "a PDF document"},
	{"\x89PNG", "a picture"},
	{"\xff\xd8\xff", "a picture"},
	{"MATLAB 5.0", "a MATLAB file"},
	{"RDX", "an R data file"},
	{"BZh", "compressed with bzip2"},
	{"\xfd7zXZ", "compressed with xz"},
	{"\x28\xb5\x2f\xfd", "compressed with zstd"},
	{"\x1f\x8b", "compressed with gzip, and not a text table inside"},
}

// unknown says what the bytes are, where no format recognises them, and what to do.
func unknown(head []byte) (what, remedy string) {
	const usual = "save it as CSV, Parquet, FCS, NPY or NPZ"
	for _, f := range foreign {
		if strings.HasPrefix(string(head[:min(len(head), 32)]), f.magic) {
			return "is " + f.what + ", which blossom does not read", usual
		}
	}
	if what, remedy := foreignText(head); what != "" {
		return "is " + what + ", not a table", cmp.Or(remedy, usual)
	}
	return "is in no format that blossom knows", usual
}
