package job

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// OfHistory has a picture be a wall of moments of a document's history, as films go through them: so many, evenly
// spread over it and the runs in it, or those of a list, by numbers, bookmarks and names. The error is a Problem.
func (p *Picture) OfHistory(ctx context.Context, j *Job, d *state.Document, which string) error {
	var past []Past
	if n, err := strconv.Atoi(which); err == nil {
		if n < 2 || n > mostPanels {
			return problem.New("", "use 2 to "+strconv.Itoa(mostPanels), "a wall of %d moments is not possible", n)
		}
		all, err := wholePast(d, "", "")
		if err != nil {
			return err
		}
		past = evenly(settled(withMaps(all)), n)
	} else {
		for _, word := range strings.Split(which, ",") {
			e, err := entryOf(d, strings.TrimSpace(word))
			if err != nil {
				return err
			}
			if s, ok := d.StateAt(e.ID); ok {
				past = append(past, Past{nameOf(e), s, 1})
			}
		}
		past = withMaps(past)
	}
	if len(past) == 0 {
		return problem.New(d.Data.Path, "train or drag in the window and save the session with its history",
			"the history has no moments with a map")
	}
	for _, m := range past {
		out, err := momentOf(m, j)
		if err != nil {
			return err
		}
		p.Wall.Moments = append(p.Wall.Moments, out)
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// withMaps leaves out moments without landmarks.
func withMaps(past []Past) []Past {
	return slices.DeleteFunc(past, func(m Past) bool { return parts.Landmarks.Of(m.State).Len() == 0 })
}

// evenly are n moments, the first and the last among them, that part the way between these most evenly.
func evenly(past []Past, n int) (out []Past) {
	if len(past) <= n {
		return past
	}
	gone, at := 0.0, make([]float64, len(past))
	for i, m := range past {
		if i > 0 {
			gone += m.Weight
		}
		at[i] = gone
	}
	next := 0
	for i := range n {
		last := len(past) - n + i // as many are to come
		want := gone * float64(i) / float64(n-1)
		for next < last && at[next] < want-1e-9 {
			next++
		}
		if i == n-1 {
			next = len(past) - 1
		}
		out = append(out, past[next])
		next++
	}
	return out
}
