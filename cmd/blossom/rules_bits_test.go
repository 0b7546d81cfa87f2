package main

import (
	"go/ast"
	"go/token"
	"slices"
)

// sameBits are sources whose sums have the same bits on every processor: there compilers must not fuse a product and a
// sum, as they may where a product is added without a conversion (The Go Programming Language Specification, "Floating
// point operators"). Those of amd64 never do, so no other test of CI sees it.
var sameBits = []string{"model/maps/tsne/exp.go", "model/maps/tsne/conditional.go", "model/landmarks/train/nearest.go",
	"model/clusters/linkage/metric.go"}

// fused finds products in sums of sameBits.
func fused(all []*goFile) (out []string) {
	for _, s := range all {
		if !slices.Contains(sameBits, s.dir+"/"+s.name) {
			continue
		}
		look := func(terms ...ast.Expr) {
			for _, x := range terms {
				if product(x) {
					out = append(out, s.at(x)+": this product may be fused with its sum: write float64(a * b)")
				}
			}
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.BinaryExpr:
				if n.Op == token.ADD || n.Op == token.SUB {
					look(n.X, n.Y)
				}
			case *ast.AssignStmt:
				if n.Tok == token.ADD_ASSIGN || n.Tok == token.SUB_ASSIGN {
					look(n.Rhs...)
				}
			}
			return true
		})
	}
	return out
}

// product says whether an expression is a product that nothing rounds.
func product(x ast.Expr) bool {
	switch x := x.(type) {
	case *ast.ParenExpr:
		return product(x.X)
	case *ast.UnaryExpr:
		return product(x.X)
	case *ast.BinaryExpr:
		return x.Op == token.MUL
	}
	return false
}
