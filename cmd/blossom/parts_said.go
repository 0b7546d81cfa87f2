package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/scale"
)

// sayOfParts tells what reading the parts of a plan told that has just been made, and which rows have no place.
func sayOfParts(plan *scale.Plan, m *scale.Manifest, o *scale.Options) {
	for _, s := range m.Said {
		o.Say("%s", onLine(s.String()))
	}
	if m.SaidMore > 0 {
		o.Say("as much is told of other parts, %s times: their receipts in %s have it",
			problem.Grouped(int64(m.SaidMore)), filepath.Join(plan.Folder(), "parts"))
	}
	if m.Invalid > 0 && places(plan) {
		o.Say("%s of %s rows have a missing or infinite value and no place on the map%s", problem.Grouped(m.Invalid),
			problem.Grouped(m.Rows), mostWithout(m))
	}
}

// mostFiles is how many files a remark names.
const mostFiles = 3

// mostWithout names the files with the most rows without a place, "" where all rows are of one.
func mostWithout(m *scale.Manifest) string {
	files, rows := m.Without()
	var said []string
	for i, f := range files[:min(len(files), mostFiles)] {
		said = append(said, fmt.Sprintf("%s (%s)", onLine(f), problem.Grouped(rows[i])))
	}
	switch more := len(files) - len(said); {
	case len(said) == 0:
		return ""
	case more > 0:
		return fmt.Sprintf(", most in %s; %s more have some", strings.Join(said, ", "), problem.Count(more, "file"))
	}
	return ", in " + strings.Join(said, ", ")
}
