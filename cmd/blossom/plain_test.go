package main

import (
	"go/ast"
	"slices"
	"strings"
)

// openers are packages that open files by themselves: they look at what they open first, or nobody else names it.
var openers = []string{"model/base/plain", "model/base/oracle", "model/data/format", "model/data/fingerprint",
	"model/document/recovery", "model/document/session", "model/landmarks/shape", "ui", "ui/uitest",
	"render/text/fallback", "render/rendertest", "cmd/blossom"}

// unlooked finds files that are opened without a look at whether they are plain ones: a pipe or a device is waited for,
// or read, without end.
func unlooked(all []*goFile) (out []string) {
	for _, s := range all {
		if s.test() || slices.Contains(openers, s.dir) || strings.HasPrefix(s.dir, ".ci") ||
			strings.HasPrefix(s.dir, "gpu") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if x, ok := n.(*ast.SelectorExpr); ok {
				p, ok := x.X.(*ast.Ident)
				if name := x.Sel.Name; ok && p.Name == "os" && (name == "Open" || name == "ReadFile") {
					out = append(out, s.at(x)+": a file is opened that may be no plain one: use plain."+name)
				}
			}
			return true
		})
	}
	return out
}
