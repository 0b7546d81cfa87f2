package ui

import "blossom/ui/widget"

// question asks the user something that has to be answered before the program goes on with it. Esc, and the
// answer without a deed, leave things as they are.
type question struct {
	title   string
	about   string   // what it is about: a file
	says    []string // sentences
	list    []string // what is shown in a list below them
	hint    string   // what the answers come to
	answers []answer
}

type answer struct {
	label string
	kind  widget.ButtonKind
	tip   string
	do    func()
}

// inquire asks a question, after those that are waiting.
func (a *App) inquire(q question) { a.questions = append(a.questions, q) }

// questionDialog shows the first of the questions.
func (a *App) questionDialog() {
	open := len(a.questions) > 0
	if !open {
		a.ui.Modal("Question", &open, widget.ModalOpts{}, nil)
		return
	}
	q := a.questions[0]
	o := widget.ModalOpts{Width: 500}
	for _, x := range q.answers {
		o.Buttons = append(o.Buttons, widget.ModalButton{Label: x.label, Kind: x.kind, Tip: x.tip})
	}
	chosen := a.ui.Modal(q.title+"##Question", &open, o, func() {
		t := a.ui.Theme()
		if q.about != "" {
			a.ui.Wrapped(widget.Strong, t.Text, q.about)
			a.ui.Space(4)
		}
		for _, s := range q.says {
			a.ui.Wrapped(widget.Body, t.Text, sentence(s))
		}
		if len(q.list) > 0 {
			a.ui.Space(6)
		}
		for _, s := range q.list {
			a.ui.Wrapped(widget.Body, t.Text, "•  "+s)
		}
		if q.hint != "" {
			a.ui.Space(8)
			a.ui.Wrapped(widget.Body, t.Muted, q.hint)
		}
	})
	if open {
		return
	}
	a.questions = a.questions[1:]
	if chosen >= 0 && q.answers[chosen].do != nil {
		q.answers[chosen].do()
	}
}
