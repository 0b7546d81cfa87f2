package view

import (
	"encoding/json"
	"math"

	"blossom/model/base/problem"
)

// Code is a Split as it is written to files.
type Code struct {
	Tree      Cut `json:"tree"`
	Maximised ID  `json:"maximised,omitempty"`
	Next      ID  `json:"next,omitempty"` // the ID that the next view gets
}

// Cut is a view, or two cuts: "columns" stand beside each other, "rows" above each other.
type Cut struct {
	View  ID      `json:"view,omitempty"`
	Cut   string  `json:"cut,omitempty"`
	Share float64 `json:"share,omitempty"` // share of the first part, in (0, 1)
	Parts []Cut   `json:"parts,omitempty"` // two
}

// Code returns s in a form for files.
func (s Split) Code() Code { return Code{Tree: s.root.code(), Maximised: s.max, Next: s.next} }

func (n *node) code() Cut {
	switch {
	case n == nil:
		return Cut{}
	case n.a == nil:
		return Cut{View: n.view}
	}
	c := Cut{Cut: "columns", Share: n.share, Parts: []Cut{n.a.code(), n.b.code()}}
	if n.rows {
		c.Cut = "rows"
	}
	return c
}

// Split returns what c stands for, or a Problem without a file if it is no arrangement of one to four views.
func (c Code) Split() (Split, error) {
	seen := map[ID]bool{}
	root, err := c.Tree.node(seen)
	if err != nil {
		return Split{}, err
	}
	s := Split{root: root, next: c.Next}
	for id := range seen {
		if id == math.MaxUint32 {
			return Split{}, bad("view %d has no number after it", id)
		}
		s.next = max(s.next, id+1)
	}
	return s.Maximise(c.Maximised), nil
}

func (c Cut) node(seen map[ID]bool) (*node, error) {
	if len(c.Parts) == 0 {
		switch {
		case c.View == 0:
			return nil, bad("a view has no number")
		case seen[c.View]:
			return nil, bad("view %d stands in two places", c.View)
		case len(seen) == Most:
			return nil, bad("there are more than %d views", Most)
		}
		seen[c.View] = true
		return &node{view: c.View}, nil
	}
	if len(c.Parts) != 2 || c.View != 0 || (c.Cut != "columns" && c.Cut != "rows") {
		return nil, bad("a cut of views is not one of two columns or two rows")
	}
	if !(c.Share > 0 && c.Share < 1) {
		return nil, bad("a share of views is %g, not between 0 and 1", c.Share)
	}
	a, err := c.Parts[0].node(seen)
	if err != nil {
		return nil, err
	}
	b, err := c.Parts[1].node(seen)
	if err != nil {
		return nil, err
	}
	return &node{rows: c.Cut == "rows", share: c.Share, a: a, b: b}, nil
}

func bad(format string, args ...any) error {
	return problem.New("", "one view is shown; split it again", format, args...)
}

// MarshalJSON writes Code.
func (s Split) MarshalJSON() ([]byte, error) { return json.Marshal(s.Code()) }

// UnmarshalJSON reads Code; it leaves s alone if that is wrong.
func (s *Split) UnmarshalJSON(b []byte) error {
	var c Code
	if err := json.Unmarshal(b, &c); err != nil {
		return err
	}
	t, err := c.Split()
	if err == nil {
		*s = t
	}
	return err
}
