package live

import (
	"blossom/model/document/parts"
	"blossom/model/landmarks/landmark"
)

// Preview shows the map as these landmarks make it, nil again as the document has it. The document does not change:
// this is how two moments are compared, and how a run is played. The codebook must be in the space of the table.
// While there is a preview columns that are made of the map stay as they are, and no run goes on.
func (m *Map) Preview(l *landmark.Set) {
	if l != nil && m.preview == nil {
		m.runs.PauseAll()
	}
	m.preview = l
}

// Previewing says whether the map shows what the document does not hold.
func (m *Map) Previewing() bool { return m.preview != nil }

// Landmarks are the landmarks that the map shows: those of the document, or of a preview.
func (m *Map) Landmarks() *landmark.Set {
	if m.preview != nil {
		return m.preview
	}
	return parts.Landmarks.Of(m.Doc.State())
}
