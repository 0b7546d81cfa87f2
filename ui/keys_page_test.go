package ui

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// keysPage is docs/keys.md, made from the table of commands.
func keysPage() string {
	var b strings.Builder
	b.WriteString("# Mouse and keys\n\n" +
		"<!-- made by go test ./ui -run KeysPage -args -update -->\n\n" +
		"`?` shows this in the window; `Ctrl+P` finds every command by its name. On macOS Cmd stands for Ctrl.\n\n" +
		"| does | input |\n|---|---|\n")
	for _, r := range mouseHelp {
		b.WriteString("| " + r[0] + " | " + r[1] + " |\n")
	}
	for _, c := range everyCommand() {
		if len(c.Keys) == 0 {
			continue
		}
		keys := make([]string, len(c.Keys))
		for i, k := range c.Keys {
			keys[i] = "`" + k + "`"
		}
		b.WriteString("| " + c.Title + " | " + strings.Join(keys, ", ") + " |\n")
	}
	return b.String()
}

func TestKeysPage(t *testing.T) {
	const path = "../docs/keys.md"
	if flag.Lookup("update").Value.String() == "true" {
		if err := os.WriteFile(path, []byte(keysPage()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(text) != keysPage() {
		t.Errorf("%s lists other keys than the program has: run go test ./ui -run KeysPage -args -update", path)
	}
}
