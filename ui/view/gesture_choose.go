package view

// choose selects the landmarks in a rectangle or lasso.
type choose struct{ outline }

func (c *choose) end(g *Hand, how ending) {
	if how != released {
		return
	}
	a, b := g.press.at, g.Cursor
	g.choose(func(p point) bool {
		if c.lasso {
			return inside(c.path, p)
		}
		return p.x >= min(a.x, b.x) && p.x <= max(a.x, b.x) && p.y >= min(a.y, b.y) && p.y <= max(a.y, b.y)
	})
}

// inside says whether p is within the closed path, by the even-odd rule.
func inside(path []point, p point) bool {
	in := false
	for i, j := 0, len(path)-1; i < len(path); j, i = i, i+1 {
		a, b := path[i], path[j]
		if (a.y > p.y) != (b.y > p.y) && p.x < (b.x-a.x)*(p.y-a.y)/(b.y-a.y)+a.x {
			in = !in
		}
	}
	return in
}
