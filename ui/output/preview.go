package output

import (
	"image"

	"blossom/model/document/state"
	"blossom/render/pen"
	"blossom/render/scene"
	"blossom/ui/desk"
	"blossom/ui/output/plate"
	"blossom/ui/shell"
)

// preview is a small picture of how a picture for a file will look. It is made anew when something has changed and the
// views are at rest.
type preview struct {
	of    previewKey
	stir  bool // something was under way since it was begun
	job   plate.Job
	img   *image.RGBA // being drawn
	shown uint32      // texture of the last one; 0: none
}

// previewKey is what a preview is of.
type previewKey struct {
	picture desk.Picture
	w, h    int
	dark    bool
	at      *desk.Desk
	stamp   state.Stamp
}

// previewStep is the number of points that a preview draws in a frame.
const previewStep = 100_000

// Preview is how a picture will look, within w x h pixels, as a texture; 0: it is being drawn.
func (o *Output) Preview(p desk.Picture, w, h int) uint32 {
	v, d := &o.preview, o.w.Desk()
	if d.Busy() || d.Stage.Moving() || d.Stage.Flying() || o.Drawing() {
		v.stir = true
		return v.shown
	}
	key := previewKey{p, w, h, o.w.Dark(), d, d.Doc.State().Stamp(true)}
	if key != v.of || v.stir {
		v.drop()
		v.of, v.stir = key, false
		if err := o.beginPreview(p, w, h); err != nil || v.job == nil {
			v.forget() // why is said when it is written
			return 0
		}
	}
	if v.job == nil {
		return v.shown
	}
	o.context.Refresh()
	done, err := v.job.Step(previewStep)
	if err == nil && done == 1 {
		v.forget()
		v.shown = shell.Texture(v.img)
	}
	if err != nil || done == 1 {
		v.drop()
	}
	return v.shown
}

// beginPreview begins a picture of the same layout, of fewer pixels.
func (o *Output) beginPreview(p desk.Picture, w, h int) error {
	fullW, fullH, scale := o.pictureSize(p)
	if fullW < 1 || fullH < 1 {
		return nil
	}
	share := min(float64(w)/float64(fullW), float64(h)/float64(fullH), 1)
	w, h, scale = max(1, int(share*float64(fullW))), max(1, int(share*float64(fullH))), scale*share
	coarse := p.Print
	if coarse.DPI *= share; p.Size == desk.OnPaper {
		w, h, scale = coarse.Pixels()
	}
	sketch := o.sketch(p, w, h, scale)
	if p.Size == desk.OnPaper {
		sketch.Print = &coarse
	}
	fonts, err := scene.Fonts()
	if err != nil {
		return err
	}
	v := &o.preview
	v.img = image.NewRGBA(image.Rect(0, 0, w, h))
	job, err := plate.Plate{Stage: o.w.Desk().Stage, Renderer: o.renderer}.Begin(sketch,
		&pen.Image{Dst: v.img, Fonts: fonts, Points: scale})
	if err != nil {
		return err // its job holds nothing, and is none
	}
	v.job = job
	return nil
}

// drop gives up what is being drawn.
func (v *preview) drop() {
	if v.job != nil {
		v.job.Close()
	}
	v.job, v.img = nil, nil
}

// forget gives the texture back.
func (v *preview) forget() {
	if v.shown != 0 {
		shell.FreeTexture(v.shown)
	}
	v.shown = 0
}
