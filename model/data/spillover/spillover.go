// Package spillover reads matrices of spillover from files of their own: tables of text, lines as FCS has them,
// workspaces and matrices of FlowJo, Gating-ML. It also writes them.
package spillover

import (
	"bytes"
	"context"
	"fmt"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/xmlfile"
	"blossom/model/data/format"

	"golang.org/x/text/encoding/unicode"
)

// Limits of what is read.
const (
	maxBytes     = xmlfile.MaxBytes
	maxDetectors = 1024
)

// remedy is what a file of a matrix should be like.
const remedy = "give a table with a column for each detector, named as in the data, and as many rows"

// Matrix is a matrix of a file.
type Matrix struct {
	dataset.Spillover
	ID      string   // its name in the file, "" if it has none
	Samples []string // names of the sample that it is of, "" and none if the file says nothing of one
	Percent bool     // the file had it in percent
}

// Read reads the matrices of the file at path. The error is ctx's or a Problem.
func Read(ctx context.Context, path string) ([]Matrix, error) {
	if err := format.CheckInput(path); err != nil {
		return nil, err
	}
	text, err := plain.ReadFile(path, maxBytes)
	if err != nil {
		return nil, err
	}
	if !isText(text) {
		ms, err := readTable(ctx, path)
		return finish(ms, path, err)
	}
	return parse(ctx, text, path)
}

// Parse reads the matrices of text, which is in the file at path or, with "", comes from elsewhere.
func Parse(text []byte, path string) ([]Matrix, error) {
	return parse(context.Background(), text, path)
}

func parse(ctx context.Context, text []byte, path string) ([]Matrix, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if xmlfile.Looks(text) {
		root, err := xmlfile.Parse(ctx, text, path)
		if err != nil {
			return nil, err
		}
		ms, err := ofXML(root, path)
		return finish(ms, path, err)
	}
	m, why := parseText(decode(text))
	if why != "" {
		return nil, problem.New(path, remedy, "%s", why)
	}
	return finish([]Matrix{{Spillover: m}}, path, nil)
}

// Pasted reads a matrix of text from elsewhere: as files have it, or numbers alone, which are then of the detectors
// with these names. Its error is a Problem.
func Pasted(text string, names []string) (*Matrix, error) {
	ms, err := Parse([]byte(text), "")
	if err == nil {
		return Of(ms, "")
	}
	for _, sep := range []string{"\t", ";", ","} {
		if ms, why := Parse([]byte(headed(names, sep)+text), ""); why == nil && len(ms[0].Names) == len(names) {
			return &ms[0], nil
		}
	}
	return nil, err
}

// headed is a row of names, quoted.
func headed(names []string, sep string) string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = `"` + strings.ReplaceAll(n, `"`, `""`) + `"`
	}
	return strings.Join(out, sep) + "\n"
}

// finish gives matrices what they have whatever kind of file they come from.
func finish(ms []Matrix, path string, err error) ([]Matrix, error) {
	if err != nil {
		return nil, err
	}
	for i := range ms {
		m := &ms[i]
		if m.Keyword == "" {
			m.Keyword = filepath.Base(path)
		}
		if n := len(m.Names); n > maxDetectors {
			return nil, problem.New(path, remedy, "has a matrix of %d detectors, more than the %d that make sense", n,
				maxDetectors)
		}
		m.Percent = m.Shares() || m.Percent
	}
	return ms, nil
}

// Of is the matrix of a file for a sample with these names: the only one there is, or the one of that sample.
func Of(ms []Matrix, path string, names ...string) (*Matrix, error) {
	differ := slices.ContainsFunc(ms, func(m Matrix) bool { return !m.Spillover.Equal(&ms[0].Spillover) })
	var found *Matrix
	var known []string
	for i := range ms {
		m := &ms[i]
		if !differ {
			return m, nil
		}
		for _, s := range m.Samples {
			if slices.ContainsFunc(names, func(n string) bool { return SampleName(n) == SampleName(s) }) {
				if found != nil && !found.Spillover.Equal(&m.Spillover) {
					return nil, problem.New(path, "leave one of them in the file", "has several matrices for %s", s)
				}
				found = m
				break
			}
		}
		if label := m.label(); label != "" {
			known = append(known, label)
		}
	}
	if found != nil {
		return found, nil
	}
	return nil, problem.New(path, "give a file with the matrix of this sample",
		"has %d matrices (%s), and none says that "+
			"it is of %s", len(ms), strings.Join(known[:min(len(known), 5)], ", "), strings.Join(names[:min(1,
			len(names))],
			""))
}

// Each are the matrices of the file at path for each file of a table: see ForFile.
func Each(ms []Matrix, path string, ds *dataset.Dataset) (each []*dataset.Spillover, percent bool, err error) {
	each = make([]*dataset.Spillover, max(1, len(ds.Parts)))
	for f := range each {
		m, err := ForFile(ms, path, ds, f)
		if err != nil {
			return nil, false, err
		}
		each[f], percent = &m.Spillover, percent || m.Percent
	}
	return each, percent, nil
}

// ForFile is the matrix of the file at path for file f of a table: the one that there is, or that of this sample. Its
// detectors have the names of the table, which may call them otherwise than the file does.
func ForFile(ms []Matrix, path string, ds *dataset.Dataset, f int) (*Matrix, error) {
	keywords, file := ds.Metadata, ds.Path
	if f < len(ds.Parts) {
		keywords, file = nil, ds.Parts[f]
	}
	if f < len(ds.Keywords) {
		keywords = ds.Keywords[f]
	}
	m, err := Of(ms, path, append(fileNames(keywords), filepath.Base(file), ds.Name)...)
	if err != nil {
		return nil, err
	}
	out := *m
	out.Spillover = *m.Spillover.In(ds, f)
	return &out, nil
}

// fileNames are what the keywords of a file say that it is called.
func fileNames(keywords map[string]string) (names []string) {
	for key, value := range keywords {
		if strings.EqualFold(key, "$FIL") {
			names = append(names, value)
		}
	}
	return names
}

// label is what a matrix is called among others.
func (m *Matrix) label() string {
	if len(m.Samples) > 0 {
		return m.Samples[0]
	}
	return m.ID
}

// SampleName is the name of a sample as it is compared: without folder, ending, case and the escapes of addresses.
func SampleName(s string) string {
	s = s[strings.LastIndexAny(s, `/\`)+1:]
	if plain, err := url.PathUnescape(s); err == nil {
		s = plain
	}
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), ".fcs")
}

// Text is a matrix as a table of text, a row of names first, that Parse and other programs read.
func Text(m *dataset.Spillover) string {
	var b strings.Builder
	b.WriteString(quoted(m.Names))
	for _, row := range m.M {
		words := make([]string, len(row))
		for j, x := range row {
			words[j] = fmt.Sprint(x)
		}
		b.WriteString(quoted(words))
	}
	return b.String()
}

// quoted is a line of a CSV file.
func quoted(words []string) string {
	out := make([]string, len(words))
	for i, w := range words {
		if out[i] = w; strings.ContainsAny(w, ",\"\n\r;\t#") || w != strings.TrimSpace(w) {
			out[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
		}
	}
	return strings.Join(out, ",") + "\n"
}

// isText says whether the beginning of a file is that of text, rather than of a table in another format.
func isText(text []byte) bool {
	head := text[:min(len(text), 4096)]
	return bytes.HasPrefix(head, []byte("\xff\xfe")) || bytes.HasPrefix(head, []byte("\xfe\xff")) ||
		bytes.IndexByte(head, 0) < 0 && !bytes.HasPrefix(head, []byte("FCS")) && !bytes.HasPrefix(head,
			[]byte("PK\x03")) &&
			!bytes.HasPrefix(head, []byte("\x1f\x8b")) && !bytes.HasPrefix(head, []byte("\x93NUMPY"))
}

// decode makes UTF-8 of text. What is not valid UTF-8 is Latin 1, byte by byte.
func decode(text []byte) string {
	if bytes.HasPrefix(text, []byte("\xff\xfe")) || bytes.HasPrefix(text, []byte("\xfe\xff")) {
		if out, err := unicode.UTF16(unicode.LittleEndian, unicode.ExpectBOM).NewDecoder().Bytes(text); err == nil {
			text = out
		}
	}
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf"))
	if utf8.Valid(text) {
		return string(text)
	}
	runes := make([]rune, len(text))
	for i, c := range text {
		runes[i] = rune(c)
	}
	return string(runes)
}
