package view

import "blossom/ui/widget"

// Names are the places of the names that stand on the view.
func (v *Scatter) Names() []widget.Rect { return v.names }
