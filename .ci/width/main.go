// Command width names the lines of Go that are longer than 120 columns, with a tab as 4 and any other
// character as 1. gofmt breaks no lines, so this does the asking. It looks at every .go file below the
// working directory and exits with 1 when a line is too long.
package main

import (
	"bufio"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	widest   = 120
	tabWidth = 4
)

// built are folders of what is made here, and git's own.
var built = []string{".git", "bin", "build", "dist"}

func main() {
	long := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && slices.Contains(built, path):
			return fs.SkipDir
		case d.IsDir() || filepath.Ext(path) != ".go":
			return nil
		}
		n, err := check(path)
		long += n
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, "width:", err)
		os.Exit(1)
	}
	if long > 0 {
		fmt.Printf("%d lines are longer than %d columns: break them by hand\n", long, widest)
		os.Exit(1)
	}
}

// check prints the long lines of a file and counts them.
func check(path string) (int, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	long := 0
	lines := bufio.NewScanner(strings.NewReader(string(text)))
	lines.Buffer(nil, len(text)+1)
	for number := 1; lines.Scan(); number++ {
		if n := columns(lines.Text()); n > widest {
			fmt.Printf("%s:%d: %d columns\n", path, number, n)
			long++
		}
	}
	return long, lines.Err()
}

// columns is how wide a line is.
func columns(line string) int {
	n := 0
	for _, r := range line {
		n++
		if r == '\t' {
			n += tabWidth - 1
		}
	}
	return n
}
