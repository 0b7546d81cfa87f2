package dialog

import (
	"path/filepath"

	"blossom/ui/widget"
)

// Question is something that has to be answered before the program goes on with it. Esc, and an answer without a deed,
// leave things as they are.
type Question struct {
	Title   string
	About   string   // a file
	Says    []string // sentences
	List    []string // shown below them
	Hint    string   // the consequence of the answers, in a line
	Answers []Button
}

// Ask asks a question, after those that are waiting.
var Ask = Register(Kind[Question]{ID: "question", Title: "Question", Width: 500, Queue: true,
	New: func(w Window, q Question) Dialog { return &Asked{w, q} }})

// Asked is the dialog of a question.
type Asked struct {
	w Window
	Question
}

func (q *Asked) Face() (Face, bool) { return Face{Title: q.Title, Buttons: q.Answers}, true }

func (q *Asked) Draw() func() {
	u := q.w.UI()
	t := u.Theme()
	if q.About != "" {
		u.Wrapped(widget.Strong, t.Text, q.About)
		u.Space(4)
	}
	for _, s := range q.Says {
		u.Wrapped(widget.Body, t.Text, widget.Sentence(s, filepath.Base(q.About)))
	}
	if len(q.List) > 0 {
		u.Space(6)
	}
	for _, s := range q.List {
		u.Bullet(widget.Body, t.Text, s)
	}
	if q.Hint != "" {
		u.Space(8)
		u.Wrapped(widget.Body, t.Muted, q.Hint)
	}
	return nil
}
