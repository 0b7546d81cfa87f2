package parts

import (
	"encoding/json"
	"maps"

	"blossom/model/base/problem"
	"blossom/model/base/step"
	"blossom/model/document/state"
	"blossom/model/maps/layout"
)

// LayoutChoice is the chosen layout of the landmarks and its parameters. Values is never changed in place.
type LayoutChoice struct {
	Algorithm string      `json:"algorithm"` // a layout.Algorithm ID
	Values    step.Values `json:"values"`    // missing ones are those that suit the landmarks: see For
	// KeepPinned: pinned landmarks stay where they are. OnlySelected: of the others those move that were selected
	// when the run began.
	KeepPinned   bool `json:"keep_pinned"`
	OnlySelected bool `json:"only_selected"`
}

// ChooseLayout chooses a layout, with the values that suit the landmarks.
func ChooseLayout(s *state.State, a layout.Algorithm) {
	Layout.Edit(s, func(l *LayoutChoice) { l.Algorithm, l.Values = a.ID, nil })
}

// For returns the values with which an algorithm lays out so many landmarks: those chosen, if it is chosen, and for the
// others what suits that number.
func (l LayoutChoice) For(a layout.Algorithm, landmarks int) step.Values {
	out := step.Values{}
	if a.Suggest != nil {
		maps.Copy(out, a.Suggest(landmarks))
	}
	if l.Algorithm == a.ID {
		maps.Copy(out, l.Values)
	}
	return out
}

// Layout is how the landmarks are laid out.
var Layout = state.Register(layoutKind)

var layoutKind = state.Kind[LayoutChoice]{
	ID: "layout", Title: "Layout", Version: 1,
	Default: defaultLayout,
	Equal: func(a, b LayoutChoice) bool {
		return a.Algorithm == b.Algorithm && a.KeepPinned == b.KeepPinned && a.OnlySelected == b.OnlySelected &&
			maps.Equal(a.Values, b.Values)
	},
	Encode: func(l LayoutChoice, c state.Context) (json.RawMessage, error) {
		if d := defaultLayout(); l.Algorithm == d.Algorithm && len(l.Values) == 0 && l.KeepPinned == d.KeepPinned &&
			!l.OnlySelected {
			return nil, nil
		}
		return encode(l, c)
	},
	Decode: func(raw json.RawMessage, _ int, c state.Context) (LayoutChoice, error) {
		l := defaultLayout()
		if err := decode(raw, "the layout", &l); err != nil {
			return defaultLayout(), err
		}
		if _, ok := layout.ByID(l.Algorithm); !ok {
			return defaultLayout(), problem.New(c.File, "choose another in the Layout panel",
				"there is no layout named %q here", l.Algorithm)
		}
		return l, nil
	},
}

// firstLayout is the layout to begin with.
const firstLayout = "force"

// Usual says whether nobody has chosen a layout, nor values of one.
func (l LayoutChoice) Usual() bool { return l.Algorithm == firstLayout && len(l.Values) == 0 }

func defaultLayout() LayoutChoice { return LayoutChoice{Algorithm: firstLayout, KeepPinned: true} }

// LayoutAlgorithm is the chosen algorithm; ok is false where there is none of that name.
func LayoutAlgorithm(s state.State) (a layout.Algorithm, ok bool) {
	return layout.ByID(Layout.Of(s).Algorithm)
}
