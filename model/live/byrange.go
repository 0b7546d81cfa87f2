package live

import (
	"blossom/model/base/revision"
	"blossom/model/work/embedding"
	"blossom/model/work/schedule"
)

// byRange is EmbedSOM: the engine projects whatever ranges of points the schedule asks for.
type byRange struct{ m *Map }

func (m *Map) addEmbedSOM() {
	r := embedding.EmbedSOM()
	m.som = &Embedding{m: m, recipe: r, kind: embedding.ByID(r.Kind), sight: true, way: byRange{m}}
	m.list = append(m.list, m.som)
	m.som.target = m.buffers.Make(m.table.X.Rows, m.mapDims())
}

// mapDims is how many coordinates landmarks have that the engine is given.
func (m *Map) mapDims() int {
	l := m.sent
	if l == nil {
		l = m.Landmarks()
	}
	if l.Pos.Cols == 3 {
		return 3
	}
	return 2
}

// reshape makes another buffer where the landmarks have got another number of coordinates.
func (m *Map) reshape() error {
	if m.som.target.Dims() == m.mapDims() {
		return nil
	}
	err := m.Wait()
	m.som.renew()
	m.wanted()
	return err
}

// rest notes that all positions are as wanted.
func (m *Map) rest() {
	if m.want != m.rested && m.sent != nil && !m.unsettled && m.sched.Stale() == 0 && !m.sched.StaleFor(m.want) {
		m.rested, m.som.rev = m.want, revision.Next()
	}
}

func (b byRange) tend() {}

func (b byRange) busy() bool { return b.m.moving() }

func (b byRange) stale() float64 { return b.m.sched.Stale() }

func (b byRange) shown() int { return b.m.sched.Shown() }

func (b byRange) refill() {
	b.m.sched.Reset(b.m.table.X.Rows)
	b.m.neighbours, b.m.rested = neighbourInputs{}, schedule.Want{}
}

func (b byRange) end() {}

func (b byRange) keep() bool { return true }
