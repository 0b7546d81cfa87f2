package population

// Step is a plot of a strategy of gates: the points of a population on one or two columns, with the gates in it that
// look at these.
type Step struct {
	Parent ID   // whose points they are; 0: all
	X, Y   Axis // Y without a column: a histogram of X
	Of     []ID // the populations whose gates are drawn there, in their order
	// Own: the gates are limits in units of the file, and the axes are as the map has the columns, in place of the
	// transforms that gates bring along.
	Own bool
}

// Strategy returns the plots that lead to the populations of a tree, in its order: those of gates, and of limits on one
// or two columns. The others, of which no plot can be drawn, are returned beside them. Gates of one population on the
// same axes share a plot.
func (t Tree) Strategy() (steps []Step, others []ID) {
	type where struct {
		parent ID
		x, y   Axis
		own    bool
	}
	at := map[where]int{}
	for _, p := range t.list {
		w := where{parent: p.Parent}
		switch r := p.Rule.(type) {
		case *Gate:
			w.x, w.y = r.X, r.Y
		case *Limits:
			if len(r.Of) == 0 || len(r.Of) > 2 || len(r.Of) == 2 && r.Of[0].Column == r.Of[1].Column {
				others = append(others, p.ID)
				continue
			}
			w.own, w.x.Column = true, r.Of[0].Column
			if len(r.Of) == 2 {
				w.y.Column = r.Of[1].Column
			}
		default:
			others = append(others, p.ID)
			continue
		}
		i, there := at[w]
		if !there {
			i = len(steps)
			at[w] = i
			steps = append(steps, Step{Parent: w.parent, X: w.x, Y: w.y, Own: w.own})
		}
		steps[i].Of = append(steps[i].Of, p.ID)
	}
	return steps, others
}
