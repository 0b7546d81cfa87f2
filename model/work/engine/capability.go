package engine

import (
	"context"

	"blossom/model/base/matrix"
	"blossom/model/base/problem"
)

// Capability is what some engines make and others do not, in the words of the error that says so.
type Capability struct {
	Makes string // "maps by t-SNE"
	In    func(Caps) bool
}

// Capabilities that commands and runs ask for.
var (
	MapsByTSNE = Capability{"maps by t-SNE", func(c Caps) bool { return c.TSNE != nil }}
	MapsByUMAP = Capability{"maps by UMAP", func(c Caps) bool { return c.UMAP != nil }}
	Hierarchy  = Capability{"hierarchies by single linkage", func(c Caps) bool { return c.Linkage != nil }}
)

// Of says whether the engine has the capability. The error is one of loading a point.
func (c Capability) Of(ctx context.Context, e Engine) (bool, error) {
	r, err := e.Load(ctx, matrix.New(1, 1))
	if err != nil {
		return false, err
	}
	defer r.Free()
	return c.In(r.Caps()), nil
}

// Lacking is the error that the named engine has no such capability; it says which of those that work here have.
func (c Capability) Lacking(ctx context.Context, name string) error {
	able := []string{Auto}
	for _, r := range Registered() {
		if ok, _, _ := r.Probe(Options{}); !ok || r.Name == name {
			continue
		}
		e, err := r.New(Options{})
		if err != nil {
			continue
		}
		if has, err := c.Of(ctx, e); err == nil && has {
			able = append(able, r.Name)
		}
		_ = e.Close() // it was asked, and computed nothing
	}
	return problem.New("", "use --engine "+problem.OneOf(able...), "engine %s makes no %s", name, c.Makes)
}
