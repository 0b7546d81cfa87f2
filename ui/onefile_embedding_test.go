package ui

import (
	"context"
	"fmt"
	"math"

	"blossom/model/work/embedding"
)

func init() {
	if !oneFile {
		return
	}
	embedding.Register(embedding.Kind{ID: "spiral", Title: "Spiral", Way: embedding.AtOnce,
		Help: "One point after the other, round and round",
		Label: func(in embedding.Inputs, _ embedding.Recipe) (title, note string) {
			return "Spiral", fmt.Sprint("of ", in.Data.Points)
		},
		Key: func(in embedding.Inputs, _ embedding.Recipe) string { return fmt.Sprint(in.Table.Rev) },
		Compute: func(_ context.Context, in embedding.Inputs, r embedding.Recipe, _ func(done, total int64)) (
			*embedding.Result, error) {
			out := &embedding.Result{Dims: r.Dims, Pos: make([]float32, in.Table.X.Rows*r.Dims),
				Axes: []embedding.Axis{{Title: "Right"}, {Title: "Up"}, {Title: "Near"}}[:r.Dims]}
			for i := range in.Table.X.Rows {
				x := float64(i)
				out.Pos[i*r.Dims], out.Pos[i*r.Dims+1] = float32(x*math.Cos(x)), float32(x*math.Sin(x))
				if r.Dims == 3 {
					out.Pos[i*r.Dims+2] = float32(x)
				}
			}
			return out, nil
		}})
}
