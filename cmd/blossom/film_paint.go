//go:build cgo && !static

package main

import (
	"context"
	"errors"
	"image"
	"io"
	"strings"

	"blossom/model/job"
	"blossom/render/pen/figure"
	"blossom/render/scene"
	"blossom/render/scene/film"
)

func init() { job.Films = &job.Filmer{Check: checkFilm, Make: makeFilm} }

// filmOptions are what the file is to be.
func filmOptions(f *job.Film) film.Options {
	return film.Options{Path: f.Output, Width: f.Size[0], Height: f.Size[1], Frames: f.Frames, Rate: f.Rate,
		Transparent: strings.HasSuffix(f.Background, "transparent")}
}

// checkFilm says what is wrong with the file that is named.
func checkFilm(f *job.Film) error {
	format, err := film.ForPath(f.Output)
	if err == nil {
		err = format.Check(filmOptions(f))
	}
	return err
}

// makeFilm draws the frames, and writes them as they come. They are drawn beside the next one's projection, on a
// goroutine of their own, as an engine may have an OpenGL context of its own.
func makeFilm(ctx context.Context, f *job.Film, shots job.Shots, text [][2]string, to io.Writer, threads int,
	progress func(done, total int64)) error {
	format, err := film.ForPath(f.Output)
	if err != nil {
		return err
	}
	o := filmOptions(f)
	o.Text = text
	writer, err := format.New(ctx, to, o)
	if err != nil {
		return err
	}
	defer writer.Close()
	inner, stop := context.WithCancel(ctx)
	defer stop()
	coming, failed := make(chan *job.Shot), make(chan error, 1)
	go func() {
		defer stop()
		failed <- drawFilm(inner, f, coming, writer, threads, progress)
	}()
	var trouble error
	for k := 0; k < f.Frames && trouble == nil; k++ {
		var shot *job.Shot
		if shot, trouble = shots.Shot(inner, k); trouble != nil {
			break
		}
		select {
		case coming <- shot:
		case <-inner.Done():
			trouble = inner.Err()
		}
	}
	close(coming)
	drawn := <-failed
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case drawn != nil && !errors.Is(drawn, context.Canceled):
		return drawn
	case trouble != nil:
		return trouble
	}
	return writer.End()
}

// drawFilm draws the frames that come.
func drawFilm(ctx context.Context, f *job.Film, coming <-chan *job.Shot, writer film.Writer, threads int,
	progress func(done, total int64)) error {
	studio, err := scene.Open(threads)
	if err != nil {
		return err
	}
	defer studio.Close()
	var last *job.Shot
	var all wholes
	var img *image.RGBA
	done := int64(0)
	for shot := range coming {
		if shot != last {
			if img, err = drawShot(ctx, studio, shot, &all); err != nil {
				return err
			}
			last = shot
		}
		if err := writer.Frame(img); err != nil {
			return err
		}
		if done++; progress != nil {
			progress(done, int64(f.Frames))
		}
	}
	return ctx.Err()
}

// drawShot draws a frame.
func drawShot(ctx context.Context, studio *scene.Studio, shot *job.Shot, all *wholes) (*image.RGBA, error) {
	if err := knownPalette(shot.Picture.Palette); err != nil {
		return nil, err
	}
	m, err := mapOf(ctx, &shot.Picture, shot.Drawn, all)
	if err != nil {
		return nil, err
	}
	plan := planOf(&shot.Picture)
	plan.On.Format, err = figure.Of("")
	if err != nil {
		return nil, err
	}
	plan.On.Paper = paperOf(&shot.Picture, &plan)
	file, err := studio.Draw(ctx, m, plan, nil)
	if err != nil {
		return nil, err
	}
	return file.(*figure.PNG).Dst, nil
}
