package live

import (
	"blossom/model/base/revision"
	"blossom/model/data/panel"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// panelled is which panel the data of the document are as.
type panelled struct {
	rev revision.Revision
}

// begin is of data that were read with the panel of the document.
func (p *panelled) begin(m *Map) { p.rev = parts.Panel.Rev(m.Doc.State()) }

// tend has the data be as the panel of the document has them, also after undo: the same points and values under other
// labels and roles. What was computed of them stays.
func (p *panelled) tend(m *Map) {
	s := m.Doc.State()
	now := parts.Panel.Rev(s)
	if now == p.rev {
		return
	}
	p.rev = now
	data := parts.Panel.Of(s).On(m.Doc.Data)
	if data == m.Doc.Data {
		return
	}
	m.Doc.Data = data
	table := *m.table
	table.DataRev = data.Rev
	m.table = &table
}

// TakePanel gives the document of a map a panel, as one entry of the history: its columns are called as that says, and
// those that it has a class for, or leaves out, are in the map or not.
func TakePanel(m *Map, p panel.Panel, name string) {
	now := p.On(m.Doc.Data)
	usual := transform.Default(now)
	said := map[string]panel.Class{}
	for _, r := range panel.OnColumns(p, now) {
		said[r.Column] = r.Class
	}
	for _, i := range p.Unnamed(now) {
		said[now.Columns[i].Name] = panel.None
	}
	m.Doc.Do(name, func(s *state.State) {
		parts.Panel.Put(s, p)
		spec := parts.Transform.Of(*s).Clone()
		for i := range spec.Columns {
			class, c := said[now.Columns[i].Name], &now.Columns[i]
			switch {
			case class == panel.Unsaid || c.Categories != nil:
			case class == panel.Type && !c.Aside && c.Stats.Count > 0:
				if m.Doc.Data.Columns[i].Role != c.Role {
					spec.Columns[i] = usual.Columns[i]
				}
				spec.Columns[i].Use = transform.InMap
			case spec.Columns[i].Use == transform.InMap:
				spec.Columns[i].Use = transform.ColourOnly
			}
		}
		if len(spec.MapColumns()) > 0 {
			parts.Transform.Put(s, spec)
		}
	})
	m.named.panel.tend(m)
}
