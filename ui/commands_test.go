package ui

import (
	"strings"
	"testing"

	"blossom/ui/dialog"
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

// Whoever seeks the size of text and controls finds it by any word that programs have for it.
func TestTheSizeOfTheInterfaceIsFound(t *testing.T) {
	of := map[string]bool{"larger": true, "smaller": true, "normal-size": true}
	var items []dialog.Item
	for _, c := range commands {
		if of[c.ID] {
			items = append(items, dialog.Item{Title: c.Title, Help: c.Help, Also: c.Also})
		}
	}
	for _, word := range []string{"scale", "zoom", "size", "settings"} {
		if n := len(dialog.Matching(items, word)); n != len(of) {
			t.Errorf("%q finds %d of %d", word, n, len(of))
		}
	}
}
