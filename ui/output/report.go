package output

import (
	"cmp"
	"path/filepath"

	"blossom/model/document/session"
	"blossom/model/job/export"
	"blossom/ui/desk"
)

// AskReport asks where a page goes that says what is open and how it was made.
func (o *Output) AskReport() {
	name := o.Documents.Stem() + "_report" + export.PageEnding
	o.w.Ask(desk.FileQuestion{Title: "Save report", Save: true, Name: name,
		Kind: "Web pages", Kinds: []string{export.PageEnding}, Answer: o.Report})
}

// Report makes the page that blossom report makes of the session of what is open. The page says by which command it is
// made again, so the session is called as it will be saved.
func (o *Output) Report(path string) {
	name := cmp.Or(o.w.Desk().Session, o.Documents.Stem()+session.Extension)
	o.send(path, errand{what: "Reporting", command: []string{"report"}, failed: "the report could not be made: %s",
		name: filepath.Base(name)})
}
