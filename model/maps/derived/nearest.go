package derived

import (
	"context"
	"strconv"

	"blossom/model/data/dataset"
	"blossom/model/landmarks/landmark"
	"blossom/model/landmarks/train"
)

// The landmark that is nearest to a point in the space of the map, and how far away that is.
func init() {
	Register(Kind{
		ID: "nearest", Title: "nearest landmark", Order: 20, Label: true, Needs: NeedTable | NeedLandmarks,
		Help:    "Which landmark is nearest in the space of the map: its name, or its number.",
		Compute: nearest,
	})
	Register(Kind{
		ID: "distance", Title: "distance to the nearest landmark", Name: "distance to landmark", Order: 30,
		Needs: NeedTable | NeedLandmarks,
		Help: "How far away the nearest landmark is in the space of the map. Far points are not well represented: " +
			"the map has no landmark where they are.",
		Compute: distance,
	})
}

const fromLandmarks = "the landmarks and the points of the map"

func nearest(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
	c := dataset.Column{From: fromLandmarks}
	var label []float32
	label, c.Categories = labels(in.Landmarks)
	c.Values = make([]float32, in.Table.X.Rows)
	err := train.Nearest(ctx, in.Table.X, in.Landmarks.Codebook, func(point, landmark int, _ float64) {
		c.Values[point] = nan
		if landmark >= 0 {
			c.Values[point] = label[landmark]
		}
	}, progress)
	if err == nil {
		c.Values, err = in.Rows(ctx, c.Values)
	}
	return c, err
}

func distance(ctx context.Context, in Inputs, progress func(done, total int64)) (dataset.Column, error) {
	c := dataset.Column{From: fromLandmarks}
	c.Values = make([]float32, in.Table.X.Rows)
	err := train.Nearest(ctx, in.Table.X, in.Landmarks.Codebook, func(point, landmark int, distance float64) {
		c.Values[point] = nan
		if landmark >= 0 {
			c.Values[point] = float32(distance)
		}
	}, progress)
	if err == nil {
		c.Values, err = in.Rows(ctx, c.Values)
	}
	return c, err
}

// labels returns the texts of landmarks, and which of them each has: its name, or its number from 1. Landmarks
// of one name are one label.
func labels(s *landmark.Set) (of []float32, texts []string) {
	at := map[string]float32{}
	for i := range s.Len() {
		text := ""
		if s.Names != nil {
			text = s.Names[i]
		}
		if text == "" {
			text = strconv.Itoa(i + 1)
		}
		if _, known := at[text]; !known {
			at[text] = float32(len(texts))
			texts = append(texts, text)
		}
		of = append(of, at[text])
	}
	return of, texts
}
