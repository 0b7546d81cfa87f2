package palette

import "sync"

// darkest is the lightness in OKLab below which a colour can hardly be told from a dark ground.
const darkest = 0.42

var (
	liftMu sync.Mutex
	lifted = map[*Palette]*Palette{}
)

// OnDark returns a sequential palette for a dark ground: hues and their order stay, and lightness is
// spread over what can be seen there. Palettes that have no dark end, diverging ones and those of
// labels are returned as they are. The same palette always gives the same one.
func OnDark(p *Palette) *Palette {
	if p == nil || p.Kind != Sequential {
		return p
	}
	liftMu.Lock()
	defer liftMu.Unlock()
	if q := lifted[p]; q != nil {
		return q
	}
	lo, hi := 1.0, 0.0
	for _, c := range p.Colours {
		l := fromColour(c).l
		lo, hi = min(lo, l), max(hi, l)
	}
	q := p
	if lo < darkest && hi > darkest {
		copied := *p
		q = &copied
		q.Colours = nil
		for _, c := range p.Colours {
			o := fromColour(c)
			o.l = darkest + (o.l-lo)*(hi-darkest)/(hi-lo)
			q.Colours = append(q.Colours, o.colour())
		}
	}
	lifted[p] = q
	return q
}
