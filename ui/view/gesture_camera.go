package view

// pan moves the view with the hand.
type pan struct{ still }

func (*pan) move(g *Hand, _ point) {
	// The world point under the cursor at the press stays under it: no drift, whatever the frame rate.
	if sx, sy, ok := g.At.Lens().Screen(g.press.held); ok {
		g.steer(func(v Steered) { v.Pan(g.Cursor.x-sx, g.Cursor.y-sy) })
	}
}

// turn turns a view in 3D.
type turn struct {
	still
	begun bool
}

func (t *turn) move(g *Hand, from point) {
	if !t.begun { // also what it took to be no click
		from, t.begun = g.press.at, true
	}
	dx, dy := g.Cursor.x-from.x, g.Cursor.y-from.y
	g.steer(func(v Steered) { v.Rotate(dx, dy) })
}
