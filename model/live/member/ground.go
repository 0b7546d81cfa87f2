// Package member has what goes on in steps beside a window, as members of runs: the training of landmarks, their
// layouts, embeddings that form, the clustering of points. How they stand is said alike by all.
package member

import (
	"time"

	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/model/landmarks/graph"
	"blossom/model/landmarks/train"
	"blossom/model/maps/embedsom"
	"blossom/model/space/transform"
	"blossom/model/work"
	"blossom/model/work/embedding"
	"blossom/model/work/engine"
)

// Ground is what members know of the map that they go on in.
type Ground struct {
	Doc        *state.Document
	Table      func() *transform.Table
	Consistent func() bool                       // codebook, table and transform speak of the same space
	Held       func() bool                       // the user holds landmarks or a parameter in hand
	Chosen     func() (landmarks []int, ok bool) // landmarks that are selected, ascending; not ok: nobody selects any
	Graph      func() (g graph.Graph, rev revision.Revision, fresh bool)
	Now        func() time.Time
	Notice     func(string) // tells the user
	NewRun     func(work.Member) *work.Run
	// Engine is what the engine in use does of a training, and Mend returns the error that is left of one after another
	// engine has taken over: none where that one goes on.
	Engine interface {
		train.Searcher
		train.Summer
	}
	Mend func(error) error
	// Inputs are what an embedding of a recipe is made from, and Caps what the engine offers for it.
	Inputs func(embedding.Recipe) embedding.Inputs
	Caps   func() engine.Caps
	Jobs   *work.Jobs
	Hold   func(work.Advancer)           // serves a run before all others; nil: none
	Sync   func(embedsom.Target)         // waits for positions that an engine wrote; nil: they are there
	Placed func(embedding.Recipe) Placed // another embedding
}
