package documents

import (
	"context"

	"blossom/model/document/opening"
	"blossom/model/work"
	"blossom/ui/desk"
)

// Guest is a document that is shown for a while in place of the open one, and of which nothing is kept: it is not saved
// by itself, not put aside when it goes, and no recent file. The open document waits meanwhile on its desk, saved by
// itself and held by this window, and is the open one again as it was. Whatever else is opened sends the guest away
// first.
type Guest struct {
	part
	here bool
	host *desk.Desk // the desk that waits; nil: there was none
	gone func()     // is told when it has gone
}

// Here says whether the document on the desk is a guest.
func (g *Guest) Here() bool { return g.here }

// Can says whether a guest can come: nothing waits to be written of the open document.
func (g *Guest) Can() bool { return g.here || !g.w.Waiting() && !g.docs.Saving.Busy() }

// Host is the desk that waits while a guest is here, or nil.
func (g *Guest) Host() *desk.Desk { return g.host }

// open is the desk of the open document: that which waits for a guest to go, else that which is there; or nil.
func (g *Guest) open() *desk.Desk {
	if g.here {
		return g.host
	}
	return g.w.Desk()
}

// Come opens demo data or a file as a guest, in place of one that is here. come is told when it is on the desk, and
// gone when it is not any more and what was open is there again.
func (g *Guest) Come(title, path string, come, gone func()) {
	o := g.docs.Options.Reading
	g.comes(title, func(ctx context.Context, j *work.Job) (func(), error) {
		opened, err := opening.Sheets{}.Load(ctx, []string{path}, o, j)
		return func() { g.sit(opened, come, gone) }, err
	})
}

// sit makes the guest the document on the desk.
func (g *Guest) sit(o *opening.Opened, come, gone func()) {
	d := g.docs
	d.opening = nil
	d.Ahead.leave()
	d.Ahead.sweep()
	g.Go()
	d.w.GiveUp()
	d.dialogs.Close("matching", "reading", "matrix") // these ask about the document that is to wait
	host, old := d.w.Desk(), d.current()
	if host != nil {
		g.setDown(host)
	}
	m := g.mapOf(o, old)
	if m == nil {
		return
	}
	g.host, g.here, g.gone = d.w.Swap(nil), true, gone
	d.w.Sit(m)
	if !d.Options.Still {
		if err := m.Training().Again(); err != nil {
			d.w.Fail(err)
		}
		m.Training().LayOut()
	}
	d.context.SetTitle(m.Doc.Title + " — blossom")
	come()
}

// setDown saves the document that is to wait by itself, and takes its map off the engine.
func (g *Guest) setDown(host *desk.Desk) {
	host.Stage.Hand().Cancel()
	host.Stage.Keep()
	g.docs.Awaited.now()
	if !g.docs.Autosave.Has(host.Doc) {
		g.docs.KeepNow()
	}
	g.w.UI().HushAll(host.Doc)
	host.Close()
}

// Go sends the guest away, if one is here. What was open before is there again.
func (g *Guest) Go() {
	if !g.here {
		return
	}
	d, guest := g.docs, g.w.Desk()
	if d.opening != nil {
		d.opening.Cancel()
		d.opening = nil
	}
	d.w.GiveUp()
	guest.Stage.Hand().Cancel()
	g.w.UI().HushAll(guest.Doc)
	guest.Close()
	d.w.Sit(nil)
	host, gone := g.host, g.gone
	g.here, g.host, g.gone = false, nil, nil
	d.w.Swap(host)
	title := "blossom"
	if host != nil {
		title = host.Doc.Title + " — blossom"
		if err := host.Reload(); err != nil {
			d.w.Fail(err)
		}
	}
	d.context.SetTitle(title)
	d.context.Refresh()
	gone()
}
