package ui

import (
	"strings"
	"testing"
)

// Commands stand where they belong: below those of the same kind, and under a caption only where it is theirs.
func TestOrderOfTheFileMenu(t *testing.T) {
	var got []string
	for _, c := range commands {
		if c.menu == "File" {
			if c.rule {
				got = append(got, "-")
			}
			got = append(got, c.id)
		}
	}
	want := "open reopen - recover add-file files reading - save save-as - export screenshot - close - quit"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s, not %s", text, want)
	}
}
