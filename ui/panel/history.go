package panel

import (
	"fmt"

	"blossom/assets"
	"blossom/model/base/revision"
	"blossom/model/document/state"
	"blossom/ui/desk"
	"blossom/ui/widget"
)

func init() {
	Register(Kind{ID: "history", Title: "History", Also: "undo redo versions log",
		Key: "Alt+H", Order: 110, Closed: true,
		Help: "Every change of the map, to go back to",
		New:  func(d *desk.Desk) Panel { return &history{desk: d, open: map[state.EntryID]bool{}, asked: -1} }})
}

// history lists the moments of the document downwards, a branch indented below the moment that it leaves. Long
// stretches are folded.
type history struct {
	desk  *desk.Desk
	rows  []historyRow
	rev   revision.Revision // the history that rows were made from
	past  *desk.Past
	open  map[state.EntryID]bool // stretches that the user has unfolded, by their first moment
	asked int                    // the moment that the menu is open for, or -1
}

// historyRow is a moment, or a folded stretch of so many from there on.
type historyRow struct {
	moment, more int
	opts         widget.MomentOpts
	label        string
}

// Lengths of lists, in rows.
const (
	historyWhole = 14 // nothing is folded in one that is no longer
	historyFold  = 4  // a shorter stretch is not folded
	historyNear  = 4  // around the present, and at the end of a branch
)

func (p *history) Note() string {
	past := p.desk.Past()
	ends := 0
	for i := range past.Moments {
		if past.Moments[i].Next < 0 {
			ends++
		}
	}
	if ends > 1 {
		return fmt.Sprintf("%d branches", ends)
	}
	if n := len(past.Moments) - 1; n > 0 {
		return fmt.Sprint(n)
	}
	return ""
}

func (p *history) Draw() {
	u, past := p.desk.UI, p.desk.Past()
	if rev := p.desk.Doc.History().Rev(); rev != p.rev || past != p.past {
		p.rev, p.past = rev, past
		p.lay(past)
	}
	if p.asked >= len(past.Moments) {
		p.asked = -1
	}
	u.ContextMenu("moment", func() {
		if p.asked >= 0 {
			p.desk.MomentMenu(p.asked)
		}
	})
	for i := range p.rows {
		if u.SkipRow() {
			continue
		}
		r := &p.rows[i]
		x := u.MomentRow(r.label, r.opts)
		switch {
		case x.Clicked && r.more > 0:
			for k, at := 0, r.moment; k < r.more; k, at = k+1, past.Moments[at].Next {
				p.open[past.Moments[at].ID] = true
			}
			p.rev = 0
			u.Again()
		case x.Clicked:
			p.desk.Compare.End()
			p.desk.Go(past.Moments[r.moment].ID)
			return
		case x.Right && r.more == 0:
			p.asked = r.moment
			u.OpenMenu("moment")
		}
	}
	u.Space(8)
	line := p.desk.Window.Command("dock-time")
	if u.Button("Time line##timeline", widget.ButtonOpts{Icon: assets.IconHistory, Width: -1, Tip: line.Tip}) {
		line.Run()
	}
}

// lay makes the rows: each branch below the moment that it leaves, then what goes on.
func (p *history) lay(past *desk.Past) {
	p.rows = p.rows[:0]
	children := make([][]int, len(past.Moments))
	for i := range past.Moments {
		if up := past.Moments[i].Up; up >= 0 && past.Moments[up].Next != i {
			children[up] = append(children[up], i)
		}
	}
	type stop struct {
		moment, column int
		through, past  uint
	}
	todo := []stop{{moment: 0}}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		i, m := at.moment, &past.Moments[at.moment]
		first := m.Up >= 0 && past.Moments[m.Up].Next != i
		if n := p.stretch(past, children, i); n > 0 {
			last := i
			for range n - 1 {
				last = past.Moments[last].Next
			}
			p.rows = append(p.rows, historyRow{moment: i, more: n, label: fmt.Sprintf("%d more##more%d", n, i),
				opts: widget.MomentOpts{Column: at.column, Through: at.through, Past: at.past, Above: !first,
					From:  first,
					Below: true, Done: m.Done, DoneOn: past.Moments[past.Moments[last].Next].Done, More: true,
					Time: past.When(last), Tip: "Show all of them"}})
			todo = append(todo, stop{past.Moments[last].Next, at.column, at.through, at.past})
			continue
		}
		row := historyRow{moment: i, label: fmt.Sprintf("%s##moment%d", m.Name, i),
			opts: widget.MomentOpts{Time: past.When(i), Tip: m.Tip, Column: at.column, Through: at.through,
				Past: at.past, Above: m.Up >= 0 && !first, From: first, Below: m.Next >= 0, Done: m.Done,
				Now: i == past.Now, Undone: m.Line && !m.Done, Bookmark: m.Bookmark != ""}}
		if m.Bookmark != m.Name {
			row.opts.Name = m.Bookmark
		}
		next := at
		if m.Next >= 0 {
			row.opts.DoneOn = past.Moments[m.Next].Done
			next.moment = m.Next
			todo = append(todo, next)
		}
		p.rows = append(p.rows, row)
		for k := len(children[i]) - 1; k >= 0; k-- { // the first comes off the stack first
			b := stop{children[i][k], at.column + 1, at.through, at.past}
			if m.Next >= 0 {
				b.through |= 1 << at.column
				if past.Moments[m.Next].Done {
					b.past |= 1 << at.column
				}
			}
			todo = append(todo, b)
		}
	}
}

// stretch returns how many moments from i on are folded, 0 for none: nothing is where somebody looks for it.
func (p *history) stretch(past *desk.Past, children [][]int, i int) int {
	if len(past.Moments) <= historyWhole {
		return 0
	}
	dull := func(i int) bool {
		m := &past.Moments[i]
		if m.Up < 0 || m.Bookmark != "" || len(children[i]) > 0 || i == past.Now || p.open[m.ID] {
			return false
		}
		near, end := i, true
		for range historyNear - 1 { // nothing of this branch is near its end, or the present
			if near = past.Moments[near].Next; near < 0 {
				end = false
				break
			}
			if near == past.Now {
				return false
			}
		}
		if !end {
			return false
		}
		near = i
		for range 2 {
			if near = past.Moments[near].Up; near == past.Now {
				return false
			} else if near < 0 {
				break
			}
		}
		return true
	}
	if up := past.Moments[i].Up; up >= 0 && past.Moments[up].Next == i && dull(up) {
		return 0 // in the middle of one that is shown
	}
	n := 0
	for at := i; at >= 0 && dull(at); at = past.Moments[at].Next {
		n++
	}
	if n < historyFold {
		return 0
	}
	return n
}
