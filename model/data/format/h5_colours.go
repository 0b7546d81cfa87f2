package format

import (
	"context"
	"encoding/hex"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/encoding/hdf5"
)

// coloursOf ends the name of the colours of a column.
const coloursOf = "_colors"

// colours gives labels the colours that uns has for them, one for each category. What is wrong with them costs them
// alone.
func (in *h5Input) colours(ctx context.Context, uns *hdf5.Object, c *dataset.Column) error {
	if uns == nil || !uns.IsGroup() || len(c.Categories) == 0 {
		return nil
	}
	list, err := uns.Child(c.Name + coloursOf)
	if err == nil && list != nil && list.IsDataset() {
		var d *hdf5.Dataset
		if d, err = list.Dataset(); err == nil && d.Type.IsText() && len(d.Shape) == 1 && d.Shape[0] <= maxLabels {
			var texts []string
			if texts, err = list.Texts(ctx); err == nil {
				c.Own = parseColours(texts, len(c.Categories))
			}
		}
	}
	if err == nil || ctx.Err() != nil {
		return ctx.Err()
	}
	in.warn("the colours of " + c.Name + " are left out: " + problem.As(err).What)
	return nil
}

// parseColours are the colours of n categories, written as "#rrggbb" or "#rrggbbaa", as a column has them; "" where
// none is one.
func parseColours(texts []string, n int) string {
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
