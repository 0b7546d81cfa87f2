package source

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
	"blossom/model/data/encoding/texts"
	"blossom/model/data/format"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
)

// Names, without their endings, of the sheets that people keep in the folder of their data.
var (
	samplesNames = []string{"samples", "sample", "samplesheet", "metadata", "md", "experiment", "experimentinfo"}
	panelNames   = []string{"panel", "markers", "markerpanel"}
)

// Opened is what a list of paths stands for: the files in folders among them, and the sheets beside these.
type Opened struct {
	Files   []string
	Samples string   // a sheet of samples in one of the folders, "": there is none
	Panel   string   // a panel there
	Says    []string // remarks about folders, in sentences

	found []string // sheets of folders that are used, though nobody has named them
}

// Expand puts the data files of folders in their place, by their names: of each folder those of the format that most of
// its files have, not of folders in it. Other paths stay. The error is ctx's, or a Problem of a folder without data.
func Expand(ctx context.Context, paths []string) (o Opened, err error) {
	for _, path := range paths {
		if st, err := os.Stat(path); Generated(Resolve(path)) || path == Standard || err != nil || !st.IsDir() {
			o.Files = append(o.Files, path)
			continue
		}
		if err := o.folder(ctx, path); err != nil {
			return o, err
		}
	}
	return o, nil
}

// refusals say what is wrong with folders that are no folders of data.
var refusals []func(path string) error

// Refuse has folders that are none of data refused: what lies in them are files of another kind of folder. no returns
// nil for a folder of which it knows nothing.
func Refuse(no func(path string) error) { refusals = append(refusals, no) }

// folder takes in a folder.
func (o *Opened) folder(ctx context.Context, path string) error {
	for _, no := range refusals {
		if err := no(path); err != nil {
			return err
		}
	}
	list, err := os.ReadDir(path)
	if err != nil {
		return problem.Wrap(err, path, "check its permissions", "the folder cannot be read")
	}
	own := ownOutputs(list)
	byFormat, sheets, odd, err := sorted(ctx, path, list, own)
	if err != nil {
		return err
	}
	usual := mostOf(byFormat)
	files := byFormat[usual]
	for _, file := range sheets {
		if !o.sheet(ctx, file, files) {
			if f, ok := format.OfFile(file); ok && (usual == "" || f.Name == usual) {
				usual, files = f.Name, append(files, file) // a table of that name
			}
		}
	}
	if len(files) == 0 {
		return problem.New(path, "give the folder that the files are in, or the files themselves",
			"has no file of a format that can be read")
	}
	slices.Sort(files)
	o.Files = append(o.Files, files...)
	o.Says = append(o.Says, fmt.Sprintf("%s: %s", path, problem.Count(len(files), "file")))
	var left []string
	for name, others := range byFormat {
		if name != usual {
			for _, file := range others {
				left = append(left, filepath.Base(file))
			}
		}
	}
	if len(own) > 0 {
		o.Says = append(o.Says, "not taken, as blossom has written them of files there: "+several(own))
	}
	if len(odd) > 0 {
		o.Says = append(o.Says, "not taken, as they are no files or links to none: "+several(odd))
	}
	if len(left) > 0 {
		slices.Sort(left)
		o.Says = append(o.Says, "not taken, as most files there are of another format: "+several(left))
	}
	return nil
}

// sorted are the files of a folder but its own outputs: data by their formats, what is called as a sheet, and the names
// of odd ones, which are no files and not called as data.
func sorted(ctx context.Context, path string, list []os.DirEntry, own []string) (byFormat map[string][]string,
	sheets, odd []string, err error) {
	byFormat = map[string][]string{}
	for _, e := range list {
		if err := ctx.Err(); err != nil {
			return nil, nil, nil, err
		}
		file := filepath.Join(path, e.Name())
		if strings.HasPrefix(e.Name(), ".") || slices.Contains(own, e.Name()) {
			continue
		}
		switch st, err := os.Stat(file); {
		case err == nil && st.IsDir():
			continue
		case err != nil || !st.Mode().IsRegular(): // a link to nothing, a pipe: the reading of data files says so
			if f, ok := format.ForPath(file); ok {
				byFormat[f.Name] = append(byFormat[f.Name], file)
			} else {
				odd = append(odd, e.Name())
			}
			continue
		}
		if isSheet(e.Name(), samplesNames) || isSheet(e.Name(), panelNames) {
			sheets = append(sheets, file)
			continue
		}
		if f, ok := format.OfFile(file); ok {
			byFormat[f.Name] = append(byFormat[f.Name], file)
		}
	}
	return byFormat, sheets, odd, nil
}

// written is how files are called that blossom writes beside each input.
var written = pattern.Of(`^(.+)_blossom( \([0-9]+\))?$`)

// ownOutputs are the names of files in a folder that blossom has written of others there, whose points they have again.
func ownOutputs(list []os.DirEntry) (own []string) {
	stem := func(name string) string {
		name = strings.TrimSuffix(name, ".gz")
		return strings.TrimSuffix(name, filepath.Ext(name))
	}
	there := map[string]bool{}
	for _, e := range list {
		there[e.Name()], there[stem(e.Name())] = true, true
	}
	for _, e := range list {
		if of := written().FindStringSubmatch(stem(e.Name())); of != nil && there[of[1]] {
			own = append(own, e.Name())
		}
	}
	return own
}

// several is some names in words.
func several(names []string) string {
	const most = 4
	if n := len(names) - most; n > 0 {
		return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(names, ", ")
}

// mostOf is the format of most files; where several have as many, the one that is no text, else the first by name.
func mostOf(files map[string][]string) (usual string) {
	for name, list := range files {
		a, b := len(list), len(files[usual])
		text, was := format.NamesText(name), format.NamesText(usual)
		switch {
		case usual == "" || a > b:
			usual = name
		case a == b && (was && !text || text == was && name < usual):
			usual = name
		}
	}
	return usual
}

// isSheet says whether a file is called as one of the sheets, and is a text by its ending.
func isSheet(name string, names []string) bool {
	f, ok := format.ForPath(name)
	if !ok || !format.NamesText(f.Name) {
		return false
	}
	stem := strings.TrimSuffix(strings.ToLower(name), ".gz")
	return slices.Contains(names, texts.Fold(strings.TrimSuffix(stem, filepath.Ext(stem))))
}

// sheet takes in a sheet of the files of a folder, and says whether it is one.
func (o *Opened) sheet(ctx context.Context, path string, files []string) bool {
	table, err := texts.Read(ctx, path)
	if err != nil {
		return false
	}
	var names []string
	for _, file := range files {
		names = append(names, filepath.Base(file))
	}
	if isSheet(filepath.Base(path), samplesNames) {
		if _, err := sheet.Look(table, names, ""); err != nil || o.Samples != "" {
			return o.Samples != "" && err == nil
		}
		o.Samples = path
		return true
	}
	if _, err := panel.Look(table); err != nil || o.Panel != "" {
		return o.Panel != "" && err == nil
	}
	o.Panel = path
	return true
}

// With takes sheets that were named in the place of those of folders, and says which of those are used.
func (o *Opened) With(samples, panel string) {
	for _, x := range []struct {
		named, found string
		to           *string
		what         string
	}{{samples, o.Samples, &o.Samples, "the sheet of samples"}, {panel, o.Panel, &o.Panel, "the panel"}} {
		switch {
		case x.named != "":
			*x.to = x.named
		case x.found != "":
			o.Says, o.found = append(o.Says, filepath.Base(x.found)+" is used as "+x.what), append(o.found, x.found)
		}
	}
}

// Leave leaves out a sheet that does not fit to the files, as err says, and says so. It is false for one that somebody
// has named, and where the reading was cancelled: then err stays.
func (o *Opened) Leave(sheet string, err error) bool {
	if !slices.Contains(o.found, sheet) || errors.Is(err, context.Canceled) ||
		errors.Is(err, context.DeadlineExceeded) {
		return false
	}
	name := filepath.Base(sheet)
	o.Says = slices.DeleteFunc(o.Says, func(text string) bool { return strings.HasPrefix(text, name+" is used as ") })
	o.Says = append(o.Says, name+" is not used: "+problem.As(err).What)
	if o.Samples == sheet {
		o.Samples = ""
	}
	if o.Panel == sheet {
		o.Panel = ""
	}
	return true
}
