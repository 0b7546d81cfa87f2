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
	opened source.Opened
	panel  *panel.Found
	left   []string // files that could not be read
}

// know reads the panel of files, and puts those of folders in their place. The sheets that somebody has named are to
// be used; those that were found in a folder are left where they do not fit.
func (s Sheets) know(ctx context.Context, paths []string) (files []string, k *known, err error) {
	k = &known{}
	if k.opened, err = source.Expand(ctx, paths); err != nil {
		return nil, nil, err
	}
	k.opened.With(s.Samples, s.Panel)
	if path := k.opened.Panel; path != "" {
		k.panel, err = panel.Read(ctx, path)
		if err = k.leave(path, err); err != nil {
			return nil, nil, err
		}
		if flaw := k.panel.Flaw(); flaw != nil && k.opened.Leave(path, flaw) {
			k.panel = nil
		}
	}
	return k.opened.Files, k, nil
}

// without puts files of folders in their place, and uses no sheet of these.
func without(ctx context.Context, paths []string) (files []string, k *known, err error) {
	k = &known{}
	if k.opened, err = source.Expand(ctx, paths); err != nil {
		return nil, nil, err
	}
	k.opened.Samples, k.opened.Panel = "", ""
	return k.opened.Files, k, nil
}

// leave leaves out a sheet that was found, for err; the error is err where it was named.
func (k *known) leave(path string, err error) error {
	if err == nil || !k.opened.Leave(path, err) {
		return err
	}
	if k.opened.Panel == "" {
		k.panel = nil
	}
	return nil
}

// damaged keeps what there is to say of a file that is left out.
func (k *known) damaged(path string, err error) bool {
	k.left = append(k.left, path)
	k.opened.Says = append(k.opened.Says, fmt.Sprintf("%s is left out: %s", filepath.Base(path), problem.As(err).What))
	return true
}

// says is the panel; an empty one where there is none.
func (k *known) says() panel.Panel {
	if k.panel == nil {
		return panel.Panel{}
	}
	return k.panel.Panel()
}

// fits returns the data as the panel has them. It refuses a panel that was named and does not go with the data.
func (k *known) fits(data *dataset.Dataset) (*dataset.Dataset, error) {
	if k.panel == nil {
		return data, nil
	}
	if err := k.leave(k.panel.File, k.panel.For(data)); err != nil {
		return nil, err
	}
	return k.says().On(data), nil
}

// put gives a new document what is known of its samples and columns.
func (k *known) put(ctx context.Context, out *Opened) error {
	if k.panel != nil {
		k.opened.Says = append(k.opened.Says, k.panel.Says(out.Doc.Data)...)
	}
	var samples sheet.Sheet
	if path := k.opened.Samples; path != "" {
		names, _ := samples.Of(out.Doc.Data)
		found, err := sheet.Read(ctx, path, names, "")
		if err == nil {
			if samples = found.Sheet; found.Says() != "" {
				k.opened.Says = append(k.opened.Says, "the sheet of samples has "+found.Says())
			}
		} else if err = k.leave(path, err); err != nil {
			return err
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
	out.Notes = append(out.Notes, k.opened.Says...)
	return nil
}
