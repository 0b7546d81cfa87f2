//go:build !windows && !darwin

package board

import (
	"encoding/binary"
	"errors"
	"time"

	"github.com/jezek/xgb"
	"github.com/jezek/xgb/xproto"
)

// content is what is in the clipboard: bytes, and the types by which they are asked for.
type content struct {
	bytes []byte
	types []string
}

// owner answers, on a goroutine, those who want what is in the clipboard, as the Inter-Client Communication Conventions
// of X say (section 2): in one piece, or by and by where that is larger than a request may be (INCR).
type owner struct {
	x       *xgb.Conn
	window  xproto.Window
	atoms   map[string]xproto.Atom
	piece   int // bytes that go at once
	offer   chan content
	offered chan error
	ended   chan struct{}
	events  chan xgb.Event

	has   content
	since xproto.Timestamp
	under map[transfer]rest
}

// rest is what is left to send to somebody, of a type.
type rest struct {
	bytes []byte
	of    xproto.Atom
}

// transfer is somebody who takes content piece by piece: a window, and its property that holds the next one.
type transfer struct {
	window   xproto.Window
	property xproto.Atom
}

func newOwner() (*owner, error) {
	x, err := xgb.NewConn()
	if err != nil {
		return nil, err
	}
	setup := xproto.Setup(x)
	o := &owner{x: x, atoms: map[string]xproto.Atom{}, piece: min(2*int(setup.MaximumRequestLength), 1<<17),
		offer: make(chan content), offered: make(chan error), ended: make(chan struct{}),
		events: make(chan xgb.Event), under: map[transfer]rest{}}
	if o.window, err = xproto.NewWindowId(x); err == nil {
		screen := setup.DefaultScreen(x)
		err = xproto.CreateWindowChecked(x, 0, o.window, screen.Root, 0, 0, 1, 1, 0, xproto.WindowClassInputOnly,
			screen.RootVisual, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange}).Check()
	}
	for _, name := range append([]string{"CLIPBOARD", "TARGETS", "TIMESTAMP", "INCR", "BLOSSOM_TIME", "image/png"},
		texts...) {
		if err == nil {
			var r *xproto.InternAtomReply
			if r, err = xproto.InternAtom(x, false, uint16(len(name)), name).Reply(); err == nil {
				o.atoms[name] = r.Atom
			}
		}
	}
	if err != nil {
		x.Close()
		return nil, err
	}
	go o.listen()
	go o.serve()
	return o, nil
}

// listen hands events on until the connection ends.
func (o *owner) listen() {
	defer close(o.events)
	for {
		e, err := o.x.WaitForEvent()
		switch {
		case e == nil && err == nil:
			return
		case err != nil: // somebody has gone who was being answered
			o.events <- gone{xproto.Window(err.BadId())}
		default:
			o.events <- e
		}
	}
}

// gone is an event of our own: a window is there no more.
type gone struct{ window xproto.Window }

func (gone) Bytes() []byte  { return nil }
func (gone) String() string { return "gone" }

// serve takes offers and answers events until the connection ends.
func (o *owner) serve() {
	defer close(o.ended)
	for {
		select {
		case c := <-o.offer:
			err := o.take(c)
			o.offered <- err
		case e, open := <-o.events:
			if !open {
				return
			}
			o.answer(e)
		}
	}
}

// take becomes the owner of the clipboard, with content in it.
func (o *owner) take(c content) error {
	now, err := o.now()
	if err != nil {
		return err
	}
	xproto.SetSelectionOwner(o.x, o.window, o.atoms["CLIPBOARD"], now)
	r, err := xproto.GetSelectionOwner(o.x, o.atoms["CLIPBOARD"]).Reply()
	if err == nil && r.Owner != o.window {
		err = errors.New("another program has the clipboard")
	}
	if err == nil {
		o.has, o.since = c, now
	}
	return err
}

// now is the time of the server, which it says of a property that changes.
func (o *owner) now() (xproto.Timestamp, error) {
	property := o.atoms["BLOSSOM_TIME"]
	xproto.ChangeProperty(o.x, xproto.PropModeAppend, o.window, property, xproto.AtomInteger, 8, 0, nil)
	late := time.After(patience)
	for {
		select {
		case e, open := <-o.events:
			if !open {
				return 0, errors.New("the X display has ended")
			}
			if p, is := e.(xproto.PropertyNotifyEvent); is && p.Window == o.window && p.Atom == property {
				return p.Time, nil
			}
			o.answer(e)
		case <-late:
			return 0, errors.New("the X display does not answer")
		}
	}
}

// answer does what an event asks for.
func (o *owner) answer(e xgb.Event) {
	switch e := e.(type) {
	case xproto.SelectionClearEvent: // somebody else has copied something
		if e.Selection == o.atoms["CLIPBOARD"] && e.Time >= o.since {
			o.has = content{}
		}
	case xproto.SelectionRequestEvent:
		o.request(e)
	case xproto.PropertyNotifyEvent:
		at := transfer{e.Window, e.Atom}
		if rest, is := o.under[at]; is && e.State == xproto.PropertyDelete {
			o.next(at, rest)
		}
	case gone:
		for at := range o.under {
			if at.window == e.window {
				delete(o.under, at)
			}
		}
	}
}

// request gives somebody what is in the clipboard, or says that it is not there in the type that is asked for.
func (o *owner) request(e xproto.SelectionRequestEvent) {
	property := e.Property
	if property == xproto.AtomNone { // as old programs ask
		property = e.Target
	}
	if e.Selection != o.atoms["CLIPBOARD"] || !o.give(e.Requestor, property, e.Target) {
		property = xproto.AtomNone
	}
	said := xproto.SelectionNotifyEvent{Time: e.Time, Requestor: e.Requestor, Selection: e.Selection,
		Target: e.Target, Property: property}
	xproto.SendEvent(o.x, false, e.Requestor, 0, string(said.Bytes()))
}

// give puts what is asked for into a property of the window that asks, or begins to.
func (o *owner) give(to xproto.Window, property, target xproto.Atom) bool {
	if len(o.has.types) == 0 {
		return false
	}
	switch target {
	case o.atoms["TARGETS"]:
		list := []uint32{uint32(target), uint32(o.atoms["TIMESTAMP"])}
		for _, t := range o.has.types {
			list = append(list, uint32(o.atoms[t]))
		}
		o.words(to, property, xproto.AtomAtom, list...)
		return true
	case o.atoms["TIMESTAMP"]:
		o.words(to, property, xproto.AtomInteger, uint32(o.since))
		return true
	}
	for _, t := range o.has.types {
		if o.atoms[t] != target {
			continue
		}
		if len(o.has.bytes) <= o.piece {
			o.bytes(to, property, target, o.has.bytes)
			return true
		}
		xproto.ChangeWindowAttributes(o.x, to, xproto.CwEventMask, []uint32{xproto.EventMaskPropertyChange})
		o.under[transfer{to, property}] = rest{o.has.bytes, target}
		o.words(to, property, o.atoms["INCR"], uint32(len(o.has.bytes)))
		return true
	}
	return false
}

// next sends a further piece of what somebody takes by and by; an empty one is the end.
func (o *owner) next(to transfer, left rest) {
	n := min(o.piece, len(left.bytes))
	o.bytes(to.window, to.property, left.of, left.bytes[:n])
	if left.bytes = left.bytes[n:]; n == 0 {
		delete(o.under, to)
		return
	}
	o.under[to] = left
}

// bytes and words replace what a property holds.
func (o *owner) bytes(of xproto.Window, property, kind xproto.Atom, b []byte) {
	xproto.ChangeProperty(o.x, xproto.PropModeReplace, of, property, kind, 8, uint32(len(b)), b)
}

func (o *owner) words(of xproto.Window, property, kind xproto.Atom, words ...uint32) {
	var b []byte
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, w)
	}
	xproto.ChangeProperty(o.x, xproto.PropModeReplace, of, property, kind, 32, uint32(len(words)), b)
}
