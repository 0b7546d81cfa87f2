package main

import (
	"go/ast"
	"regexp"
	"strings"
)

// unsaid finds the words that a comment does not begin with: a reader would have to guess what they speak of.
var unsaid = regexp.MustCompile(`(?i)^(of|that|those|what)\b`)

// fragments are the comments that begin so, but for docs of functions that are called so.
func fragments(all []*goFile) (out []string) {
	for _, s := range all {
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
