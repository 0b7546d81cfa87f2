package ui

import (
	"blossom/assets"
	"blossom/model/data/format"
)

func init() {
	registerCommand(command{id: "save-recipe", menu: "File", title: "Save a recipe…", below: "save-as",
		help: "Save what makes this very picture, without the history: small enough to mail", icon: assets.IconFileText,
		enabled: hasMap, run: func(a *App) { a.docs.Saving.AskRecipe() }})
	registerCommand(command{id: "reading", menu: "File", title: "How text is read…", icon: assets.IconTable,
		help: "Separator, decimal mark, missing words, and which columns are numbers, of a text table", below: "files",
		enabled: func(a *App) bool { return a.desk != nil && format.IsText(a.desk.Doc.Data) },
		run:     func(a *App) { a.docs.AskReading() }})
	registerCommand(command{id: "export-landmarks", menu: "File", title: "Export landmarks…",
		also: "save map codebook json", below: "export",
		help: "Write the landmarks as a table, for NumPy, BlosSOM or the command line", icon: assets.IconUpload,
		enabled: hasMap, run: func(a *App) { a.docs.Landmarks.AskExport() }})
	registerCommand(command{id: "import-landmarks", menu: "File", title: "Import landmarks…",
		also: "open load map codebook json template", below: "export-landmarks",
		help: "Take landmarks from a table, NumPy, BlosSOM or blossom train in place of these",
		icon: assets.IconDownload, enabled: hasMap, run: func(a *App) { a.docs.Landmarks.AskImport() }})
}
