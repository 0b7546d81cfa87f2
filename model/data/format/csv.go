package format

import (
	"bytes"
	"context"
	"io"
	"slices"

	"blossom/model/data/dataset"
)

// Text tables: cells separated by comma, semicolon, tab, bar or spaces (found out from the content),
// quoted as RFC 4180 says, plain or compressed with gzip, in UTF-8, UTF-16 with a mark, or Latin-1.
func init() {
	read := reading(func(ctx context.Context, in *input) (*dataset.Dataset, error) {
		return readText(ctx, in, extension(in.path))
	})
	outline := reading(func(ctx context.Context, in *input) (*dataset.Dataset, error) {
		return outlineText(ctx, in, extension(in.path))
	})
	Register(Format{
		Name: "csv", Title: "Comma-separated values (CSV)", Extensions: []string{".csv", ".txt", ".dat", ".asc"},
		Sniff: func(head []byte, ext string) int { return sniffText(head, ext, false) },
		Read:  read, Outline: outline, Rows: true, Spans: textSpans,
		Write: writeCSV, WriteRange: writeCSVRange, Index: MayIndex, Text: true, Headed: true,
	})
	Register(Format{
		Name: "tsv", Title: "Tab-separated values (TSV)", Extensions: []string{".tsv", ".tab"},
		Sniff: func(head []byte, ext string) int { return sniffText(head, ext, true) },
		Read:  read, Outline: outline, Rows: true, Spans: textSpans,
		Write: writeTSV, WriteRange: writeTSVRange, Index: MayIndex, Text: true, Headed: true,
	})
}

var textExtensions = []string{".csv", ".txt", ".dat", ".asc", ".tsv", ".tab"}

// sniffText scores the head of a file as a text table, separated by tabs or by something else.
func sniffText(head []byte, ext string, tabs bool) int {
	whole := len(head) < headSize
	r, err := textReader(bytes.NewReader(head))
	if err != nil {
		return 0
	}
	text, _ := io.ReadAll(io.LimitReader(r, 4*headSize)) // a head that was cut ends in an error
	if what, _ := foreignText(text); !isText(text) || what != "" && !slices.Contains(textExtensions, ext) {
		return 0
	}
	d, quality, _ := sniffDialect(text, whole, ext, Reading{})
	score := 0
	switch {
	case slices.Contains(textExtensions, ext):
		score = 60
	case quality.columns > 1 && quality.rows > 1 && quality.consistent > 0.9:
		score = 50
	case quality.numeric > 0.5 && ext != ".fcs" && ext != ".lmd":
		score = 10
	}
	if score > 0 && (d.sep == '\t') == tabs {
		score++
	}
	return score
}

// isText says whether bytes are text: hardly any control characters, and no zero.
func isText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c == 0 {
			return false
		}
		if c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' || c == 0x7f {
			odd++
		}
	}
	return odd*100 <= len(b)
}
