package landmark

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"

	"blossom/model/base/problem"
)

// parseDisk takes text for the JSON of a landmarks file. It is strict where encoding/json is not: null would be
// read as 0, and what follows the object would be left out, so that a damaged file gave another map.
func parseDisk(text []byte, name string) (d disk, err error) {
	from := json.NewDecoder(bytes.NewReader(text))
	if err := from.Decode(&d); err != nil {
		return d, problem.Wrap(err, name, fileRemedy, "not a landmarks file (%s)", jsonWords(err))
	}
	if d.Format != fileFormat {
		return d, problem.New(name, fileRemedy, "not a landmarks file")
	}
	if d.Version < 1 {
		return d, problem.New(name, fileRemedy, "a landmarks file of version %d: the first was 1", d.Version)
	}
	end := from.InputOffset()
	if _, err := from.Token(); err != io.EOF {
		return d, problem.New(name, "remove what follows, or "+fileRemedy, "something follows the landmarks on line %d",
			line(text, len(text)-len(bytes.TrimSpace(text[end:]))))
	}
	if at := nullAt(text); at >= 0 {
		return d, problem.New(name, "put the missing value in, or "+fileRemedy,
			"a value is missing (null) on line %d", line(text, at))
	}
	return d, nil
}

// line is the number of the line, from 1, that the byte at lies on.
func line(text []byte, at int) int { return 1 + bytes.Count(text[:min(at, len(text))], []byte{'\n'}) }

// nullAt returns where valid JSON has its first null, -1 if nowhere.
func nullAt(text []byte) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\':
			i++
		case !quoted && c == 'n': // no other word of JSON has one
			if bytes.HasPrefix(text[i:], []byte("null")) {
				return i
			}
		}
	}
	return -1
}

// UnmarshalJSON reads a column; a weight that is not there becomes no number, which wrongColumns refuses: as 0 it would
// leave the column out of all distances.
func (c *FileColumn) UnmarshalJSON(text []byte) error {
	type plain FileColumn
	p := plain{Weight: math.NaN()}
	err := json.Unmarshal(text, &p)
	*c = FileColumn(p)
	return err
}

// wrongColumns says which of the columns cannot be told apart, or have no name or no weight.
func wrongColumns(columns []FileColumn, name string) error {
	seen := map[string]int{}
	for i, c := range columns {
		if c.Name == "" {
			return problem.New(name, fileRemedy, "its column %d has no name", i+1)
		}
		if c.Weight != c.Weight {
			return problem.New(name, fileRemedy, "its column %q has no weight", c.Name)
		}
		if before := seen[c.Name]; before > 0 {
			return problem.New(name, fileRemedy, "its columns %d and %d are both named %q", before, i+1, c.Name)
		}
		seen[c.Name] = i + 1
	}
	return nil
}

// pairs takes the edges, which encoding/json would pad or cut to two landmarks each.
func pairs(edges [][]int32, name string) ([][2]int32, error) {
	var out [][2]int32
	for i, e := range edges {
		if len(e) != 2 {
			return nil, problem.New(name, fileRemedy, "edge %d joins %d landmarks, not 2", i+1, len(e))
		}
		out = append(out, [2]int32(e))
	}
	return out, nil
}

// jsonWords says in plain words why JSON could not be read.
func jsonWords(err error) string {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return "it ends too early"
	case errors.As(err, &syntax):
		return fmt.Sprintf("no JSON at byte %d", syntax.Offset)
	case errors.As(err, &kind) && kind.Field != "":
		return fmt.Sprintf("%s is no %s", article(kind.Value), kind.Field)
	case errors.As(err, &kind):
		return article(kind.Value) + " where an object should be"
	}
	return err.Error()
}

// article puts one before a kind of JSON value.
func article(kind string) string {
	kind = fmt.Sprintf("%.60s", kind) // a number is in it as it is written
	if kind == "array" || kind == "object" {
		return "an " + kind
	}
	return "a " + kind
}
