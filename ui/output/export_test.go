package output

import (
	"image"
	"math"

	"blossom/ui/desk"
)

// PreviewImage is the preview of a picture within w x h pixels.
func (o *Output) PreviewImage(p desk.Picture, w, h int) (*image.RGBA, error) {
	if err := o.beginPreview(p, w, h); err != nil {
		return nil, err
	}
	defer o.preview.drop()
	for done := 0.0; done < 1; {
		var err error
		if done, err = o.preview.job.Step(math.MaxInt); err != nil {
			return nil, err
		}
	}
	return o.preview.img, nil
}
