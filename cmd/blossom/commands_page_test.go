//go:build !nowindow

package main

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// commandPages are the pages of docs/commands by their names: one of each command, as its help says it.
func commandPages() map[string]string {
	a := &app{out: bufio.NewWriter(io.Discard), stderr: io.Discard}
	root := newRoot(a)
	pages := map[string]string{"blossom.md": commandPage(root)}
	for _, c := range root.Commands() {
		if c.IsAvailableCommand() {
			pages[c.Name()+".md"] = commandPage(c)
		}
	}
	return pages
}

// commandPage is the page of a command, with those that it has below it.
func commandPage(c *cobra.Command) string {
	var b strings.Builder
	b.WriteString("# " + c.CommandPath() + "\n\n" +
		"<!-- made by go test ./cmd/blossom -run CommandPages -args -update -->\n\n")
	b.WriteString(c.Short + ".\n\n```\n" + c.UseLine() + "\n```\n\n")
	if c.Long != "" {
		b.WriteString(unmarked.Replace(strings.TrimSpace(c.Long)) + "\n\n")
	}
	if c.Example != "" {
		lines := strings.Split(strings.Trim(c.Example, "\n"), "\n")
		for i, line := range lines {
			lines[i] = strings.TrimPrefix(line, "  ")
		}
		b.WriteString("## Examples\n\n```\n" + strings.Join(lines, "\n") + "\n```\n\n")
	}
	var below []*cobra.Command
	for _, s := range c.Commands() {
		if s.IsAvailableCommand() {
			below = append(below, s)
		}
	}
	if len(below) > 0 {
		b.WriteString("## Commands\n\n| command | does |\n|---|---|\n")
		for _, s := range below {
			name := "`" + s.CommandPath() + "`"
			if c.Parent() == nil {
				name = "[" + name + "](" + s.Name() + ".md)"
			}
			b.WriteString("| " + name + " | " + cell(s.Short) + " |\n")
		}
		b.WriteString("\n")
	}
	b.WriteString("## Flags\n\n| flag | is |\n|---|---|\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) { flagRow(&b, f) })
	c.InheritedFlags().VisitAll(func(f *pflag.Flag) { flagRow(&b, f) })
	return b.String()
}

// unmarked is text in which Markdown finds no marks.
var unmarked = strings.NewReplacer("<", "&lt;", "*", `\*`, "[", `\[`, "`", "\\`", "|", `\|`)

// flagRow adds the row of a flag, as --help has it.
func flagRow(b *strings.Builder, f *pflag.Flag) {
	if f.Hidden || f.Name == "help" {
		return
	}
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	if value != "" {
		name += " " + value
	}
	if d := f.DefValue; !slices.Contains([]string{"", "0", "false", "[]"}, d) && !strings.Contains(usage, "(default") {
		usage += " (default " + d + ")"
	}
	b.WriteString("| `" + strings.ReplaceAll(name, "|", `\|`) + "` | " + cell(usage) + " |\n")
}

// cell is text that is to stand in a table of Markdown.
func cell(text string) string {
	return unmarked.Replace(strings.Join(strings.Fields(text), " "))
}

// The pages of the commands say what their help says.
func TestCommandPages(t *testing.T) {
	dir := filepath.Join("..", "..", "docs", "commands")
	pages := commandPages()
	if *update {
		for name, page := range pages {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for name, page := range pages {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != page {
			t.Errorf("docs/commands/%s (%v) says something else than the command:"+
				" go test ./cmd/blossom -run CommandPages -args -update", name, err)
		}
	}
	for _, name := range names(t, dir) {
		if pages[name] == "" {
			t.Errorf("docs/commands/%s is of no command: delete it", name)
		}
	}
}
