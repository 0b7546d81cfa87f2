package dataset

import (
	"encoding/hex"
	"fmt"
	"strings"
)

// OwnColour is the colour that a category has in the file, four bytes as in Own; the last is 0 where it has none.
func (c *Column) OwnColour(category int) []byte {
	if at := 4 * category; at+4 <= len(c.Own) {
		return []byte(c.Own[at : at+4])
	}
	return make([]byte, 4)
}

// OwnText is OwnColour as "#rrggbb"; "" where the category has none.
func (c *Column) OwnText(category int) string {
	x := c.OwnColour(category)
	if x[3] == 0 {
		return ""
	}
	return fmt.Sprintf("#%02x%02x%02x", x[0], x[1], x[2])
}

// ParseColours are the colours of n categories, as Own has them; "" where none is one. They are written as "#rgb",
// "#rrggbb" or "#rrggbbaa".
func ParseColours(texts []string, n int) string {
	out, some := make([]byte, 4*n), false
	for i, text := range texts[:min(n, len(texts))] {
		digits, ok := strings.CutPrefix(strings.TrimSpace(text), "#")
		if len(digits) == 3 {
			digits = digits[:1] + digits[:1] + digits[1:2] + digits[1:2] + digits[2:] + digits[2:]
		}
		b, err := hex.DecodeString(digits)
		if ok && err == nil && (len(b) == 3 || len(b) == 4) {
			copy(out[4*i:], append(b[:3:3], 255))
			some = true
		}
	}
	if !some {
		return ""
	}
	return string(out)
}

// colours are those of the labels of a column, by name, for a Note: of as many as a table of colours has.
func (c *Column) colours() map[string]string {
	if c.Own == "" || c.Categories == nil {
		return nil
	}
	out := map[string]string{}
	for i, name := range c.Categories[:min(len(c.Categories), mostInks)] {
		if text := c.OwnText(i); text != "" {
			out[name] = text
		}
	}
	return out
}

// takeColours gives labels the colours that a Note has for them.
func (c *Column) takeColours(by map[string]string) {
	texts := make([]string, len(c.Categories))
	for i, name := range c.Categories {
		texts[i] = by[name]
	}
	c.Own = ParseColours(texts, len(texts))
}
