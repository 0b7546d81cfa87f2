// Package embedding is the contract of the embeddings: n x 2 or n x 3 positions of all points, each with a
// recipe. Pure ones are a function of the document's parts (EmbedSOM, PCA, columns of the table); running
// ones are advanced by a stepper and kept as data. The maths is elsewhere, in a package each.
package embedding

import (
	"fmt"
	"slices"
	"strings"
)

// Recipe says which embedding: what a view shows and a session keeps.
type Recipe struct {
	Kind    string   `json:"kind"`              // ID of a registered Kind
	Dims    int      `json:"dims"`              // 2 or 3
	Columns []string `json:"columns,omitempty"` // names of columns, where the kind takes them
}

// Key is one text for one recipe: embeddings with the same key are one embedding.
func (r Recipe) Key() string {
	return fmt.Sprintf("%s/%d/%s", r.Kind, r.Dims, strings.Join(r.Columns, "\x00"))
}

// Equal says whether both are the same embedding.
func (r Recipe) Equal(o Recipe) bool {
	return r.Kind == o.Kind && r.Dims == o.Dims && slices.Equal(r.Columns, o.Columns)
}

// EmbedSOM is the recipe of the map itself. Its dimensions are those of the landmarks.
func EmbedSOM() Recipe { return Recipe{Kind: "embedsom", Dims: 2} }

// Columns is the recipe of two or three columns as coordinates.
func Columns(names ...string) Recipe {
	return Recipe{Kind: "columns", Dims: len(names), Columns: names}
}
