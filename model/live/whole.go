package live

import (
	"context"
	"path/filepath"

	"blossom/model/data/fingerprint"
	"blossom/model/work"
)

// Fingerprint reads the files of the data that are not hashed as a whole yet, one after the other, as a job that
// Close cancels, and keeps their hashes for the session. saved are the prints that a session had of them: a file
// that is another after all is told to differs.
func (m *Map) Fingerprint(saved fingerprint.Set, differs func(path string)) {
	if m.from.hashing != nil {
		return
	}
	for _, path := range m.Doc.Inputs() {
		p, ok := m.Doc.Prints[path]
		if !ok || p.Zero() || p.Whole != "" {
			continue
		}
		hash := func(ctx context.Context, j *work.Job) (func(), error) {
			whole, err := fingerprint.Whole(ctx, path, j.Report)
			return func() {
				m.from.hashing = nil
				if err != nil || !whole.Same(p) { // written or gone since it was opened: saving says so
					return
				}
				m.Doc.Prints = m.Doc.Prints.With(path, whole)
				if !whole.Same(saved[path]) {
					differs(path)
				}
				m.Fingerprint(saved, differs)
			}, ctx.Err()
		}
		m.from.hashing = m.Values.Jobs.Start("Fingerprint of "+filepath.Base(path), hash)
		return
	}
}
