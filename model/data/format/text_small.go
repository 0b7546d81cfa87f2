package format

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/unicode"

	"blossom/model/base/problem"
)

// ReadText returns the text of a small file, a sheet or a matrix that somebody keeps beside the data, in UTF-8 with
// "\n" at the ends of lines. It is read as UTF-8, as UTF-16 with or without a mark of byte order, or as Latin-1, also
// below ".gz". A text of more than most bytes is refused, and so is a file that is none. The error is ctx's or a
// Problem.
func ReadText(ctx context.Context, path string, most int64) (string, error) {
	text, err := textBytes(ctx, path, most+1)
	if err != nil {
		return "", err
	}
	if int64(len(text)) > most {
		return "", problem.New(path, "leave out what does not belong to it", "is larger than %s, which no sheet is",
			size(float64(most)))
	}
	return plainText(text, path)
}

// TextHead is ReadText of the beginning of a file, of so many bytes at most.
func TextHead(ctx context.Context, path string, most int64) (string, error) {
	text, err := textBytes(ctx, path, most)
	if err != nil {
		return "", err
	}
	return plainText(text, path)
}

// textBytes are the first bytes of a text, unpacked.
func textBytes(ctx context.Context, path string, most int64) ([]byte, error) {
	if _, err := statRegular(path); err != nil {
		return nil, err
	}
	in, err := openInput(path, Options{})
	if err != nil {
		return nil, err
	}
	defer in.close()
	r, err := textReader(&countedReader{r: in.r, size: in.size, ctx: ctx})
	if err != nil {
		return nil, fileProblem(err, path)
	}
	text, err := io.ReadAll(io.LimitReader(r, most))
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return nil, fileProblem(err, path)
	}
	return text, nil
}

// plainText is the text of bytes in whichever of the usual encodings.
func plainText(text []byte, path string) (string, error) {
	if what := spreadsheet(text); what != "" {
		return "", problem.New(path, "save it as CSV (in Excel: Save as, CSV UTF-8) and give that", "is %s", what)
	}
	if order, ok := byteOrder(text); ok {
		if len(text)%2 == 1 {
			return "", fileProblem(io.ErrUnexpectedEOF, path)
		}
		decoded, err := unicode.UTF16(order, unicode.IgnoreBOM).NewDecoder().Bytes(text)
		if err != nil {
			return "", fileProblem(err, path)
		}
		text = decoded
	}
	if bytes.IndexByte(text, 0) >= 0 {
		return "", problem.New(path, "save it as CSV or TSV", "is no text table")
	}
	if what, remedy := foreignText(text); what != "" {
		return "", problem.New(path, cmp.Or(remedy, "save it as CSV or TSV"), "is %s, not a table", what)
	}
	if !utf8.Valid(text) {
		text, _ = charmap.Windows1252.NewDecoder().Bytes(text) // each byte is a letter there
	}
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(strings.TrimPrefix(string(text), "\ufeff")), nil
}

// spreadsheet says what a file of a spreadsheet is, "" of others.
func spreadsheet(head []byte) string {
	switch {
	case bytes.HasPrefix(head, []byte("PK\x03\x04")):
		return "a spreadsheet (XLSX, ODS) or another zip archive, not a text table"
	case bytes.HasPrefix(head, []byte("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")):
		return "an old spreadsheet (XLS), not a text table"
	}
	return ""
}

// byteOrder is that of a text in UTF-16 without a mark: in letters of Europe every other byte is 0.
func byteOrder(text []byte) (order unicode.Endianness, ok bool) {
	head := text[:min(len(text), 4096)&^1]
	var zeros [2]int
	for i, b := range head {
		if b == 0 {
			zeros[i%2]++
		}
	}
	half := len(head) / 2
	switch {
	case half > 0 && zeros[1] > half*3/4 && zeros[0] == 0:
		return unicode.LittleEndian, true
	case half > 0 && zeros[0] > half*3/4 && zeros[1] == 0:
		return unicode.BigEndian, true
	}
	return unicode.LittleEndian, false
}
