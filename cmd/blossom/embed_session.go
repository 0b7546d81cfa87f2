package main

import (
	"context"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/job/run"
)

// besideSession are the flags that go with --session: all else is in the session.
var besideSession = []string{"session", "output", "derived", "json", "quiet", "engine", "variant", "threads", "device",
	"knn", "projection", "gl"}

// checkSession says what does not go with --session.
func checkSession(c *cobra.Command, inputs []string) (err error) {
	if len(inputs) > 1 {
		return run.Usage{Err: problem.New("", "give the session alone, or with one file that is its data",
			"%d inputs are too many with --session", len(inputs))}
	}
	c.Flags().Visit(func(f *pflag.Flag) {
		if !slices.Contains(besideSession, f.Name) && err == nil {
			err = run.Usage{Err: problem.New("", "leave it out: the session says it", "--%s does not go with --session",
				f.Name)}
		}
	})
	return err
}

// embedSession makes the map of a session, from its data where that is now, or from input in its place. The data must
// be what it was.
func embedSession(ctx context.Context, path, input string, s *run.Settings, report run.Report) (m *run.Map,
	files []string, err error) {
	wanted, o := "", format.Options{}
	if input != "" {
		s, err := session.Look(path)
		if err != nil {
			return nil, nil, err
		}
		wanted = s.Data.Path
	}
	if report != nil {
		o.Progress = func(done, total int64) { report("reading", done, total) }
	}
	opened, err := opening.LoadSession(ctx, path, wanted, input, o, nil)
	if err != nil {
		return nil, nil, err
	}
	doc, notes := opened.Doc, opened.Notes
	opened = nil // its table, in the order of a window, is needed no more
	if m, err = s.EmbedDocument(ctx, doc, report); err == nil {
		m.Notes = append(notes, m.Notes...)
	}
	return m, doc.Files(), err
}

// first is the first of some names, or "".
func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}
