package live

import (
	"errors"

	"blossom/model/work"
)

// suspended is a run that is to go on.
type suspended struct {
	run   *work.Run
	start func() error
}

// Suspend pauses all runs, but for the clustering, which changes nothing that is shown or kept. What it returns lets
// those go on that were to go on until they rest, unless somebody has started them meanwhile.
func (m *Map) Suspend() (resume func() error) {
	all := []suspended{{m.training.Run(), m.training.Start}, {m.layout.Run(), m.layout.Resume}}
	for _, e := range m.list {
		if e.steps != nil {
			all = append(all, suspended{e.steps.Run(), e.Start})
		}
	}
	var paused []suspended
	for _, s := range all {
		if s.run.Active() && s.run.Aim() == work.ToRest {
			paused = append(paused, s)
		}
	}
	m.runs.PauseAll()
	return func() (err error) {
		for _, s := range paused {
			if !s.run.Active() {
				err = errors.Join(err, s.start())
			}
		}
		return err
	}
}
