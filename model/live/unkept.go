package live

// Unkept says whether there is what only memory has: where a run has come to since the document was given it.
func (m *Map) Unkept() bool {
	for _, e := range m.list {
		if e.steps != nil && e.steps.Unkept() {
			return true
		}
	}
	return false
}

// Keep gives the document what only memory has. Runs go on; a unit that is under way is called back, as positions
// without what a run knows beside them would begin anew.
func (m *Map) Keep() {
	for _, e := range m.list {
		if e.steps != nil {
			e.steps.Keep()
		}
	}
}
