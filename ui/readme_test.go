package ui

import (
	"flag"
	"os"
	"strings"
	"testing"
)

// The README's list of keys is made from the command table.
const (
	keysBegin = "<!-- keys: made by go test ./ui -run Readme -args -update -->\n"
	keysEnd   = "<!-- end of keys -->\n"
)

func keysTable() string {
	var b strings.Builder
	b.WriteString("| does | input |\n|---|---|\n")
	for _, r := range mouseHelp {
		b.WriteString("| " + r[0] + " | " + r[1] + " |\n")
	}
	for _, c := range commands {
		if len(c.keys) == 0 {
			continue
		}
		keys := make([]string, len(c.keys))
		for i, k := range c.keys {
			keys[i] = "`" + k + "`"
		}
		b.WriteString("| " + c.title + " | " + strings.Join(keys, ", ") + " |\n")
	}
	return b.String()
}

func TestReadmeListsTheKeys(t *testing.T) {
	const path = "../README.md"
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, ok1 := strings.Cut(string(text), keysBegin)
	table, after, ok2 := strings.Cut(rest, keysEnd)
	if !ok1 || !ok2 {
		t.Fatalf("%s has no place for the keys", path)
	}
	if table == keysTable() {
		return
	}
	if flag.Lookup("update").Value.String() != "true" {
		t.Fatalf("%s lists other keys than the program has: run go test ./ui -run Readme -args -update", path)
	}
	if err := os.WriteFile(path, []byte(before+keysBegin+keysTable()+keysEnd+after), 0o644); err != nil {
		t.Fatal(err)
	}
}
