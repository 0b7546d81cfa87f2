package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"blossom/assets/notices"
)

// Everything that is linked has its terms in the file that About shows, in the version that is linked.
func TestNotices(t *testing.T) {
	check := func(file string) string {
		c := exec.Command("go", "run", "./.ci/notices", "-check", file)
		c.Dir = filepath.Join("..", "..")
		out, err := c.CombinedOutput()
		if err != nil && len(out) == 0 {
			t.Fatal(err)
		}
		return regexp.MustCompile(`(?m)^go: downloading .*\n`).ReplaceAllString(string(out), "")
	}
	if said := check("assets/notices/NOTICES.txt"); said != "" {
		t.Error(said)
	}
	// The check can fail: on a module that is not there, in another version, or with other terms.
	for _, c := range []struct{ line, instead, want string }{
		{`  github\.com/spf13/cobra v.*\n`, "", "github.com/spf13/cobra v"},
		{`(  github\.com/spf13/pflag v).*\n`, "${1}1.0.0\n", "pflag v1.0.0 is not linked"},
		{`Copyright \(c\) 2002-2006 Marcus Geelnard\n`, "", "out of date: run"},
	} {
		text := regexp.MustCompile(c.line).ReplaceAllString(notices.Text, c.instead)
		if said := check(write(t, filepath.Join(t.TempDir(), "n.txt"), text)); !strings.Contains(said, c.want) {
			t.Errorf("without %s: %q, want %q", c.line, said, c.want)
		}
	}
	if _, err := os.Stat(filepath.Join("..", "..", "LICENSE")); err != nil {
		t.Error("blossom's own terms: ", err)
	}
}
