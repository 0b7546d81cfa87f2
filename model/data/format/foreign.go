package format

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// foreignText says what text is if it is of another kind than a table, or "": JSON, a web page, XML, RTF; and what is
// to be done with it, where that is something else than to save it as a table.
func foreignText(text []byte) (what, remedy string) {
	start := bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")), " \t\r\n\f")
	if len(start) == 0 {
		return "", ""
	}
	switch start[0] {
	case '{', '[':
		if bytes.HasPrefix(start, []byte(`{\rtf`)) {
			return "a formatted text (RTF)", ""
		}
		if isJSON(start) {
			return "JSON", ""
		}
	case '<':
		switch beginning := start[:min(len(start), 4096)]; {
		case bytes.Contains(beginning, []byte("spilloverMatrix")) && !bytes.Contains(beginning, []byte("<Workspace")):
			return "a matrix of compensation", "give it beside the data: --compensation FILE"
		case bytes.Contains(beginning, []byte("Gating-ML")), bytes.Contains(beginning, []byte("<Workspace")):
			return "a file of gates", "give it beside the data: --gates FILE"
		}
		low := strings.ToLower(string(start[:min(len(start), 512)]))
		switch {
		case strings.HasPrefix(low, "<!doctype html"), strings.HasPrefix(low, "<html"):
			return "a web page (HTML)", ""
		case strings.HasPrefix(low, "<?xml"):
			return "XML", ""
		}
	}
	return "", ""
}

// isJSON says whether text is, or begins, an object or an array of JSON.
func isJSON(text []byte) bool {
	d := json.NewDecoder(bytes.NewReader(text))
	depth, tokens := 0, 0
	for tokens < 1000 {
		t, err := d.Token()
		if err != nil {
			// A text that is cut may be cut anywhere; one that ends between values is whole.
			return tokens > 1 && (errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF))
		}
		tokens++
		if b, ok := t.(json.Delim); ok {
			if b == '{' || b == '[' {
				depth++
			} else {
				depth--
			}
		} else if depth == 0 {
			return false // [1],[2] and the like
		}
	}
	return true
}
