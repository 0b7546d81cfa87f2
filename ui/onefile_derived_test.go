package ui

import (
	"context"

	"blossom/model/data/dataset"
	"blossom/model/maps/derived"
)

func init() {
	if !oneFile {
		return
	}
	derived.Register(derived.Kind{ID: "test-row", Title: "row number", Help: "The number of the row.", Order: 1000,
		Compute: func(_ context.Context, in derived.Inputs, _ func(done, total int64)) (dataset.Column, error) {
			c := dataset.Column{From: "the order of the file", Values: make([]float32, in.Data.Points)}
			for i := range c.Values {
				c.Values[i] = float32(i + 1)
			}
			return c, nil
		}})
}
