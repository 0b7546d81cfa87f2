package main

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/scale"
)

// sayWhole says that all parts were there, and which other files of the folder were damaged and are made again.
func sayWhole(ctx context.Context, plan *scale.Plan, m *scale.Manifest, flaws []scale.Flaw, o *scale.Options) {
	whole := problem.Count(len(m.Parts), "part") + ", whole"
	if s, err := plan.Status(ctx); err == nil && s.Step != "" {
		whole += ", of " + s.Step + "; " + onward
	}
	again := slices.DeleteFunc(flaws, func(f scale.Flaw) bool {
		return !slices.ContainsFunc(m.Kept, func(k scale.Kept) bool { return k.File == f.File })
	})
	if len(again) > 0 {
		o.Say("no part was missing in %s: %s%s", plan.Folder(), whole, mended(again))
		return
	}
	o.Say("nothing was missing in %s: %s", plan.Folder(), whole)
}

// sayMended says, of a folder that was finished before, which parts and files were damaged and are made again.
func sayMended(plan *scale.Plan, m *scale.Manifest, parts int, flaws []scale.Flaw, o *scale.Options) {
	flaws = slices.DeleteFunc(flaws, func(f scale.Flaw) bool {
		return slices.ContainsFunc(m.Skipped, func(l scale.Left) bool {
			return strings.HasPrefix(filepath.Base(f.File), fmt.Sprintf("%06d.", l.Part))
		})
	})
	if len(flaws) > 0 {
		o.Say("%s of %s made in %s%s", problem.Grouped(int64(parts-len(m.Skipped))),
			problem.Count(len(plan.Shards), "part"), plan.Folder(), mended(flaws))
	}
}

// mended says which files are made again, and why.
func mended(flaws []scale.Flaw) (text string) {
	for _, of := range []struct {
		why  string
		gone bool
	}{{"missing", true}, {"damaged", false}} {
		var names []string
		for _, f := range flaws {
			if f.Gone() == of.gone {
				names = append(names, onLine(f.File))
			}
		}
		if len(names) == 0 {
			continue
		}
		first := names[:min(len(names), mostFiles)]
		text += "; made again, as they were " + of.why + ": " + strings.Join(first, ", ")
		if more := len(names) - len(first); more > 0 { // a pyramid has hundreds
			text += " and " + problem.Grouped(int64(more)) + " more"
		}
	}
	return text
}
