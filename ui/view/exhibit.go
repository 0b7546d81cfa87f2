package view

import (
	"context"
	"errors"
	"image"
	"path/filepath"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
	"blossom/model/base/revision"
	"blossom/model/data/dataset"
	"blossom/model/data/exhibit"
	"blossom/model/document/parts"
	"blossom/model/work"
	"blossom/ui/shell"
	"blossom/ui/widget"
)

// thumbnailSide is how many pixels an image of a card has at most: enough for the card at twice its usual size.
const thumbnailSide = 512

// exhibits are what cards of points show beside the columns: an image, which is read when a card is shown, and a text.
type exhibits struct {
	of      *dataset.Dataset // the table that columns are of
	columns exhibit.Columns
	folder  *work.Value[string, *exhibit.Folder]
	image   *work.Value[pictured, *image.RGBA]
	shown   *image.RGBA // the image that the texture is of
	texture uint32
	ref     imgui.TextureRef
}

// pictured is which image a card shows: a file, or a row whose image lies in the file of the table.
type pictured struct {
	path string
	of   revision.Revision
	row  int
}

// errNone says that a row has no image.
var errNone = problem.New("", "rest on another point", "it has no image")

// thumbnail reads the image: of a row its bytes, or where these are missing, as those of data sets that name files may
// be, the file that a column names.
func (x pictured) thumbnail(ctx context.Context, data *dataset.Dataset, named string) (*image.RGBA, error) {
	if x.of == 0 {
		return exhibit.Thumbnail(x.path, thumbnailSide)
	}
	text, err := data.ImageBytes(ctx, x.row)
	switch {
	case err != nil:
		return nil, err
	case len(text) > 0:
		return exhibit.ThumbnailOf(text, data.Path, thumbnailSide)
	case named != "":
		return exhibit.Thumbnail(named, thumbnailSide)
	}
	return nil, errNone
}

// keepExhibits makes the values of what cards show.
func keepExhibits(all *work.Values, again func()) *exhibits {
	x := &exhibits{}
	how := work.Policy{Title: "Image of a point", Quiet: true, Background: true, Silent: true,
		Remedy: "rest on the point again", Done: again}
	x.image = work.Keep[pictured, *image.RGBA](all, how)
	how.Title = "Images of points"
	x.folder = work.Keep[string, *exhibit.Folder](all, how)
	return x
}

// put puts the image and the text of a row on its card.
func (x *exhibits) put(c *widget.Card, s *Scene, row int) {
	data := s.Map.Doc.Data
	if x.of != data {
		x.of, x.columns = data, exhibit.Of(data)
	}
	c.Words = x.columns.TextOf(data, row)
	c.Image, c.Missing, c.Pending = nil, "", false
	path, waits := x.path(c, s, row)
	c.Pending = waits
	of, named := pictured{path: path}, path
	switch {
	case data.Images != nil && parts.Images.Of(s.Map.Doc.State()) == "":
		of, path = pictured{of: data.Rev, row: row}, data.Images.Name
	case path == "":
		return
	}
	if x.image.Want(of) {
		x.image.Make(work.Aside, func(ctx context.Context, _ func(done, total int64)) (*image.RGBA, error) {
			return of.thumbnail(ctx, data, named)
		})
	}
	img, fresh := x.image.Now()
	switch {
	case errors.Is(x.image.Err(), errNone):
	case x.image.Err() != nil:
		c.Missing = "no image: " + filepath.Base(path) + " " + problem.As(x.image.Err()).What
	case !fresh:
		c.Pending = true
	default:
		x.upload(img)
		c.Image, c.Size = &x.ref, imgui.Vec2{X: float32(img.Rect.Dx()), Y: float32(img.Rect.Dy())}
	}
}

// path is where the image of a row is, "" where it has none; waits says that it is being looked for.
func (x *exhibits) path(c *widget.Card, s *Scene, row int) (path string, waits bool) {
	data, folder := s.Map.Doc.Data, parts.Images.Of(s.Map.Doc.State())
	if folder == "" {
		x.folder.Forget()
		return x.columns.ImageOf(data, row), false
	}
	if x.folder.Want(folder) {
		x.folder.Make(work.Aside, func(context.Context, func(done, total int64)) (*exhibit.Folder, error) {
			return exhibit.OpenFolder(folder)
		})
	}
	list, fresh := x.folder.Now()
	switch {
	case x.folder.Err() != nil:
		c.Missing = "its image is not there: no images in " + filepath.Base(folder)
	case !fresh:
		return "", true
	default:
		if path = list.ImageOf(data, row); path == "" {
			c.Missing = "it has no image in " + filepath.Base(folder)
		}
	}
	return path, false
}

// upload makes a texture of an image.
func (x *exhibits) upload(img *image.RGBA) {
	if x.shown == img {
		return
	}
	x.free()
	x.shown, x.texture = img, shell.Texture(img)
	x.ref = shell.TextureRef(x.texture)
}

// free gives the texture back.
func (x *exhibits) free() {
	if x.shown != nil {
		shell.FreeTexture(x.texture)
		x.shown = nil
	}
}
