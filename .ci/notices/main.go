// Command notices writes down the licences of everything that is linked into the program.
//
//	go run ./.ci/notices                  writes assets/notices/NOTICES.txt, from the folder that go.mod is in
//	go run ./.ci/notices -check [FILE]    exits with 1 when the file is not what would be written; a test does so
//
// Of every module that a build for one of the platforms links, it takes the licence files beside the linked packages
// and above them. What other people's sources carry inside is listed in inside.go. Equal texts are printed once.
package main

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
)

const target = "assets/notices/NOTICES.txt"

func main() {
	check := flag.Bool("check", false, "compare with the file instead of writing it")
	flag.Parse()
	file := target
	if flag.NArg() > 0 {
		file = flag.Arg(0)
	}
	if err := run(file, *check); err != nil {
		fmt.Fprintln(os.Stderr, "notices:", err)
		os.Exit(1)
	}
}

func run(file string, check bool) error {
	modules, err := linked("./cmd/blossom")
	if err != nil {
		return err
	}
	var all []notice
	for _, m := range modules {
		found, err := m.notices()
		if err != nil {
			return err
		}
		all = append(all, found...)
	}
	found, err := insides(modules)
	if err != nil {
		return err
	}
	text := layOut(append(all, found...))
	if !check {
		return os.WriteFile(file, []byte(text), 0o644)
	}
	old, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	if string(old) != text {
		return fmt.Errorf("%s is out of date%s: run go run ./.ci/notices", file, difference(string(old), text))
	}
	return nil
}

// notice is a text and what is under it.
type notice struct{ name, text string }

const rule = "================================================================================\n"

// layOut joins the names of equal texts, sorts all by name and writes a list of them before the texts.
func layOut(all []notice) string {
	names := map[string][]string{}
	var texts, listed []string
	for _, n := range all {
		text := tidy(n.text)
		if names[text] == nil {
			texts = append(texts, text)
		}
		if !slices.Contains(names[text], n.name) {
			names[text] = append(names[text], n.name)
		}
		listed = append(listed, n.name)
	}
	for _, n := range names {
		slices.SortFunc(n, byName)
	}
	slices.SortStableFunc(texts, func(a, b string) int { return slices.CompareFunc(names[a], names[b], byName) })
	slices.SortFunc(listed, byName)
	var b strings.Builder
	b.WriteString("These are in blossom beside its own sources, each under the terms that follow.\n\n")
	for _, name := range slices.Compact(listed) {
		b.WriteString("  " + name + "\n")
	}
	for _, text := range texts {
		b.WriteString("\n" + rule + strings.Join(names[text], "\n") + "\n\n" + text)
	}
	return b.String()
}

// byName compares without regard to case, and tells apart what differs in case alone.
func byName(a, b string) int {
	if c := strings.Compare(strings.ToLower(a), strings.ToLower(b)); c != 0 {
		return c
	}
	return strings.Compare(a, b)
}

// tidy gives a text Unix ends of lines, no spaces before them and no empty lines around it.
func tidy(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = strings.TrimRight(lines[i], " \t\f")
	}
	return strings.Trim(strings.Join(lines, "\n"), "\n") + "\n"
}

// difference names what only one of the two files lists.
func difference(old, text string) string {
	listed := func(s string) (out []string) {
		head, _, _ := strings.Cut(s, rule)
		for line := range strings.Lines(head) {
			if name, ok := strings.CutPrefix(line, "  "); ok {
				out = append(out, strings.TrimSpace(name))
			}
		}
		return out
	}
	was, is := listed(old), listed(text)
	var words []string
	for _, n := range is {
		if !slices.Contains(was, n) {
			words = append(words, n+" is missing")
		}
	}
	for _, n := range was {
		if !slices.Contains(is, n) {
			words = append(words, n+" is not linked")
		}
	}
	if words == nil {
		return ""
	}
	return " (" + strings.Join(words, ", ") + ")"
}
