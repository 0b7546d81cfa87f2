package ui

import (
	"blossom/model/base/problem"
	"blossom/ui/dialog"
)

// askName asks for a name for the selected landmarks. Without any it says so, in a dialog: a user who goes on to type
// the name must not fire shortcuts with it.
func (a *App) askName() {
	ids := a.desk.Stage.Hand().Selected
	if len(ids) == 0 {
		a.fail(problem.New("", "click a landmark, or drag around several with the Landmarks tool, then name them",
			"no landmark is selected"))
		return
	}
	dialog.Name.Show(a.dialogs, ids)
}
