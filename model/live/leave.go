package live

import (
	"blossom/model/document/opening"
	"blossom/model/document/parts"
)

// Leave makes the document of a closed map ready to be put aside, and taken up again by NewMap: nothing is under
// way, and its codebook is in the space of its transform. Table is nil where it has to be made again.
func (m *Map) Leave() *opening.Opened {
	m.Doc.Commit()
	table := m.table
	switch s := m.Doc.State(); {
	case parts.Settled(s) && parts.Transform.Rev(s) == m.spaced.of:
	case parts.Settled(s): // the table of this transform was on its way
		table = nil
	case parts.Landmarks.Of(s).Space == m.spaced.of: // a transform that was not applied yet
		m.spaced.stay()
	default: // in the middle of undoing: all the way back, from where it can be done again
		table = nil
		for !parts.Settled(m.Doc.State()) && m.Doc.Undo() != "" {
		}
	}
	return &opening.Opened{Doc: m.Doc, Table: table}
}
