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
	want := "open reopen - recover add-file files reading - save save-as save-recipe - " +
		"export export-landmarks import-landmarks screenshot - close - quit"
	if text := strings.Join(got, " "); text != want {
		t.Errorf("%s, not %s", text, want)
	}
}

// A command whose key nobody knows by name would answer to none, in silence.
func TestACommandWithAnUnknownKeyIsNoCommand(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("it is registered")
		}
	}()
	registerCommand(command{id: "test-key", title: "Test", help: "Test", keys: []string{"Ctrl+Hyper"}})
}
