package documents

import (
	"context"
	"errors"
	"path/filepath"
	"slices"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/session"
	"blossom/model/work"
	"blossom/ui/dialog"
	"blossom/ui/widget"
)

// AskReading asks how the text of the open table is to be read.
func (d *Documents) AskReading() {
	if d.w.Desk() != nil && format.IsText(d.w.Desk().Doc.Data) {
		d.AskHow(dialog.TextTables{Files: d.w.Desk().Doc.Files(), As: d.w.Desk().Doc.Data.Reading})
	}
}

// AskHow asks how text tables are to be read, and reads them so.
func (d *Documents) AskHow(t dialog.TextTables) {
	t.Read = func(as dataset.Reading) { d.readAgain(t.Files, as, t.Fail) }
	dialog.Reading.Show(d.dialogs, t)
}

// readAgain reads the files as r says. The map of the open table is kept as far as its columns are.
func (d *Documents) readAgain(files []string, r dataset.Reading, anew bool) {
	if anew || d.w.Desk() == nil {
		d.OpenAs(r, files...)
		return
	}
	d.w.Desk().Stage.Keep()
	s, err := session.Of(d.w.Desk().Doc, d.w.Desk().Session, d.Maker(), d.context.Now())
	if err != nil {
		d.w.Fail(err)
		return
	}
	o := d.Options.Reading
	d.opens("Reading "+filepath.Base(files[0])+" again", files[0],
		func(ctx context.Context, j *work.Job) (*opening.Opened, error) {
			return opening.Reread(ctx, s, files, r, o, j)
		}, func(string, string) {})
}

// unread are files of which a text table cannot be read as it is asked for.
type unread struct {
	error
	files []string // the file with the error first
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
func (d *Documents) askUnread(text *unread) {
	p := problem.As(text.error)
	d.w.Log("%v", p)
	dialog.Ask.Show(d.dialogs, dialog.Question{Title: "The table cannot be read", About: p.File, Says: []string{p.What},
		Hint: widget.Sentence(p.Remedy),
		Answers: []dialog.Button{{Label: "Cancel"}, {Label: "How text is read…", Kind: widget.Primary, Do: func() {
			d.AskHow(dialog.TextTables{Files: text.files, As: text.r, Fail: true})
		}}}})
}
