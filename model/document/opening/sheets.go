package opening

import (
	"context"
	"fmt"
	"path/filepath"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/panel"
	"blossom/model/data/sheet"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// Sheets are files that say what samples and columns of data are, "" for none.
type Sheets struct {
	Samples, Panel string
}

// known is what is known of files that are opened beside what is in them.
type known struct {
	samples string
	panel   *panel.Found
	notes   []string
	left    []string // files that could not be read
}

// know reads the panel of files, and puts those of folders in their place. The sheets that somebody has named are to
// be used; those that were found in a folder are left where they do not fit.
func (s Sheets) know(ctx context.Context, paths []string) (files []string, k *known, err error) {
	opened, err := source.Expand(ctx, paths)
	if err != nil {
		return nil, nil, err
	}
	opened.With(s.Samples, s.Panel)
	k = &known{samples: opened.Samples, notes: opened.Says}
	if opened.Panel != "" {
		if k.panel, err = panel.Read(ctx, opened.Panel); err != nil {
			return nil, nil, err
		}
	}
	return opened.Files, k, nil
}

// damaged keeps what there is to say of a file that is left out.
func (k *known) damaged(path string, err error) bool {
	k.left = append(k.left, path)
	k.notes = append(k.notes, fmt.Sprintf("%s is left out: %s", filepath.Base(path), problem.As(err).What))
	return true
}

// says is the panel; an empty one where there is none.
func (k *known) says() panel.Panel {
	if k.panel == nil {
		return panel.Panel{}
	}
	return k.panel.Panel()
}

// fits refuses a panel that does not go with the data.
func (k *known) fits(data *dataset.Dataset) error {
	if k.panel == nil {
		return nil
	}
	return k.panel.For(data)
}

// put gives a new document what is known of its samples and columns.
func (k *known) put(ctx context.Context, out *Opened) error {
	if k.panel != nil {
		k.notes = append(k.notes, k.panel.Says(out.Doc.Data)...)
	}
	var samples sheet.Sheet
	if k.samples != "" {
		names, _ := samples.Of(out.Doc.Data)
		found, err := sheet.Read(ctx, k.samples, names, "")
		if err != nil {
			return err
		}
		if samples = found.Sheet; found.Says() != "" {
			k.notes = append(k.notes, "the sheet of samples has "+found.Says())
		}
	}
	out.Doc.Always(func(s *state.State) {
		if !samples.Empty() {
			parts.Samples.Put(s, samples)
		}
		if k.panel != nil {
			parts.Panel.Put(s, k.says())
		}
	})
	out.Notes = append(out.Notes, k.notes...)
	return nil
}
