package opening

import (
	"context"
	"io"
	"path/filepath"
	"strings"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/clusters/linkage"
	"blossom/model/data/format"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// TreeFile is where the tree of the points goes beside a session: "map.tree.npy" beside "map.blossom". It is what
// blossom cluster writes as --mst-out.
func TreeFile(session string) string {
	return strings.TrimSuffix(session, filepath.Ext(session)) + ".tree.npy"
}

// KeepTree writes the tree of a document beside the session that it is about to be saved as, where it is too large for
// that, and has the document know it there. The document must be nobody else's. The error is a Problem.
func KeepTree(d *state.Document, session string) error {
	h := parts.Tree.Of(d.State())
	if h == nil || h.Linkage == nil || h.Len() <= parts.TreeInside {
		return nil
	}
	file := TreeFile(session)
	if err := format.AtomicWrite(file, func(w io.Writer) error { return h.WriteTree(w) }); err != nil {
		return err
	}
	kept := *h
	kept.File, kept.Sum = filepath.Base(file), h.Linkage.Sum()
	d.Always(func(s *state.State) {
		if parts.Tree.Of(*s) == h {
			parts.Tree.Put(s, &kept)
		}
	})
	return nil
}

// findTree reads the tree that a session has beside it, and refuses one of other points. What is wrong stays with the
// hierarchy, in words: everything else of the session is there without it.
func findTree(d *state.Document, session string, t *transform.Table) {
	h := parts.Tree.Of(d.State())
	if h == nil || h.Linkage != nil || h.File == "" {
		return
	}
	found, err := readTree(h, filepath.Join(filepath.Dir(session), filepath.Base(h.File)), t)
	if err != nil {
		gone := *h
		gone.Gone = problem.As(err).What
		found = &gone
	}
	d.Always(func(s *state.State) {
		if parts.Tree.Of(*s) == h {
			parts.Tree.Put(s, found)
		}
	})
}

func readTree(h *parts.Hierarchy, path string, t *transform.Table) (*parts.Hierarchy, error) {
	f, err := plain.Open(path)
	if err != nil {
		return nil, problem.New(path, "", "its file %s is not there", filepath.Base(path))
	}
	defer f.Close()
	edges, err := linkage.ReadTree(f, path)
	if err != nil {
		return nil, problem.New(path, "", "its file %s %s", filepath.Base(path), problem.As(err).What)
	}
	rows, leaves, duplicates := h.Sizes()
	l, err := linkage.OfTree(rows, leaves, edges)
	switch {
	case err != nil:
		return nil, problem.New(path, "", "its file %s is of other points", filepath.Base(path))
	case l.Sum() != h.Sum:
		return nil, problem.New(path, "", "its file %s is not the one that was saved", filepath.Base(path))
	case h.Print != t.Print():
		return nil, problem.New(path, "", "it is of other points than these")
	}
	l.Duplicates = duplicates
	out, err := parts.NewHierarchy(context.Background(), l, h.Metric, h.MinSamples, h.Share, h.Print)
	if err != nil {
		return nil, err
	}
	out.File, out.Sum = h.File, h.Sum
	return out, nil
}
