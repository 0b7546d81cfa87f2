package main

import (
	"go/ast"
	"regexp"
	"strings"
)

// plainlyWritten are folders, with those below, in which no comment begins with a word that leaves its subject out. The
// list only grows.
var plainlyWritten = []string{"cmd", "gpu", "model/base", "model/clusters", "model/data", "model/document", "model/job",
	"model/landmarks", "model/maps", "model/space", "model/work", "render", "shaders", "ui/cluster", "ui/command",
	"ui/desk", "ui/dialog", "ui/dock", "ui/output", "ui/panel", "ui/shell", "ui/uitest"}

// unsaid finds the words that a comment does not begin with: a reader would have to guess what they speak of.
var unsaid = regexp.MustCompile(`(?i)^(of|that|those|what)\b`)

// fragments are the comments that begin so, but for docs of functions that are called so.
func fragments(all []*goFile) (out []string) {
	for _, s := range all {
		inside := false
		for _, dir := range plainlyWritten {
			inside = inside || within(s.dir, dir)
		}
		if !inside || within(s.dir, "render/legend") {
			continue
		}
		docs := map[*ast.CommentGroup]bool{}
		for _, d := range s.file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && unsaid.MatchString(f.Name.Name) {
				docs[f.Doc] = true
			}
		}
		for _, c := range s.file.Comments {
			if text := strings.TrimSpace(c.Text()); unsaid.MatchString(text) && !docs[c] {
				out = append(out, s.at(c)+": a comment begins with what it does not name: "+text)
			}
		}
	}
	return out
}
