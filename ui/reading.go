package ui

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"blossom/assets"
	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

func init() {
	registerCommand(command{id: "reading", menu: "File", title: "How text is read…", icon: assets.IconTable,
		help: "Separator, decimal mark, missing words, and which columns are numbers, of a text table", below: "files",
		enabled: func(a *App) bool { return a.desk != nil && format.IsText(a.desk.Doc.Data) },
		run:     func(a *App) { a.askReading() }})
}

// askReading asks how the text of the open table is to be read.
func (a *App) askReading() {
	if a.desk != nil && format.IsText(a.desk.Doc.Data) {
		a.askHow(dialog.TextTables{Files: a.desk.Doc.Files(), As: a.desk.Doc.Data.Reading})
	}
}

func (a *App) askHow(t dialog.TextTables) {
	t.Read = func(as dataset.Reading) { a.readAgain(t.Files, as, t.Fail) }
	dialog.Reading.Show(a.dialogs, t)
}

// readAgain reads the files as r says. The map of the open table is kept as far as its columns are.
func (a *App) readAgain(files []string, r dataset.Reading, anew bool) {
	if anew || a.desk == nil {
		a.openAs(r, files...)
		return
	}
	a.desk.Stage.Keep()
	s, err := session.Of(a.desk.Doc, a.desk.Session, a.maker(), a.ctx.Now())
	if err != nil {
		a.fail(err)
		return
	}
	o := a.reading()
	a.opens("Reading "+filepath.Base(files[0])+" again", files[0],
		func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			return opening.Reread(ctx, s, files, r, o, j)
		}, func(string, string) {})
}

// unread are files of which a text table cannot be read as it is asked for.
type unread struct {
	error
	files []string // that one first
	r     dataset.Reading
}

func (u *unread) Unwrap() error { return u.error }

// asUnread returns err as an unread where another way of reading may help.
func asUnread(ctx context.Context, err error, paths []string, r dataset.Reading) error {
	var p *problem.Problem
	if err == nil || ctx.Err() != nil || !errors.As(err, &p) {
		return err
	}
	at := slices.Index(paths, p.File)
	if at < 0 || !format.LooksLikeText(p.File) {
		return err
	}
	return &unread{err, append([]string{p.File}, slices.Delete(slices.Clone(paths), at, at+1)...), r}
}

// askUnread says why a text table cannot be read, and offers to read it otherwise.
func (a *App) askUnread(text *unread) {
	p := problem.As(text.error)
	a.log.add("%v", p)
	dialog.Ask.Show(a.dialogs, dialog.Question{Title: "The table cannot be read", About: p.File, Says: []string{p.What},
		Hint: widget.Sentence(p.Remedy),
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "How text is read…", Kind: widget.Primary, Do: func() {
			a.askHow(dialog.TextTables{Files: text.files, As: text.r, Fail: true})
		}}}})
}
