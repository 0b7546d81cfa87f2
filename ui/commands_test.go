package ui

import (
	"strings"
	"testing"
)

// Commands stand where they belong: below those of the same kind, and under a caption only where it is theirs.
func TestOrderOfTheFileMenu(t *testing.T) {
	var got []string
	for _, c := range commands {
		if c.Menu == "File" {
			if c.Rule {
				got = append(got, "-")
			}
			got = append(got, c.ID)
		}
	}
	want := "open reopen - recover add-file add-columns open-gates files samples-sheet panel reading matrix - save " +
		"save-as save-recipe - " +
		"export export-landmarks import-landmarks screenshot film report - close - quit"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s, not %s", text, want)
	}
}
