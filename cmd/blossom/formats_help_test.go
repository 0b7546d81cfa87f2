package main

import (
	"strings"
	"testing"

	"blossom/model/data/format"
)

// The help of a command that writes a table names every format that it is written in.
func TestHelpNamesTheFormatsOfTables(t *testing.T) {
	for _, command := range []string{"embed", "tsne", "umap", "cluster"} {
		help := ok(t, t.TempDir(), command, "--help").stdout
		for _, ending := range append(format.Extensions(), ".csv.gz") {
			if !strings.Contains(help, ending) {
				t.Errorf("%s does not name %s", command, ending)
			}
		}
	}
}
