package view

import (
	"context"
	"image"
	"path/filepath"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/model/base/problem"
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
	image   *work.Value[string, *image.RGBA]
	shown   *image.RGBA // the image that the texture is of
	texture uint32
	ref     imgui.TextureRef
}

// keepExhibits makes the values of what cards show.
func keepExhibits(all *work.Values, again func()) *exhibits {
	x := &exhibits{}
	how := work.Policy{Title: "Image of a point", Quiet: true, Background: true, Silent: true,
		Remedy: "rest on the point again", Done: again}
	x.image = work.Keep[string, *image.RGBA](all, how)
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
	if c.Pending = waits; path == "" {
		return
	}
	if x.image.Want(path) {
		x.image.Make(work.Aside, func(context.Context, func(done, total int64)) (*image.RGBA, error) {
			return exhibit.Thumbnail(path, thumbnailSide)
		})
	}
	img, fresh := x.image.Now()
	switch {
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
