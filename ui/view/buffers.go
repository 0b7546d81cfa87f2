package view

import (
	"blossom/model/live"
	"blossom/model/maps/embedsom"
	"blossom/render"
)

// Buffers is where positions of a map go that is drawn by r.
func Buffers(r *render.Renderer) live.Buffers {
	return live.Buffers{
		Make: func(n, dims int) embedsom.Target { return r.NewPointBuffer(n, dims) },
		Drop: func(t embedsom.Target) { t.(*render.PointBuffer).Free() },
		Fresh: func(t embedsom.Target) bool {
			p := t.(*render.PointBuffer)
			if !p.Ready() {
				p.Fetch()
			}
			return p.Ready()
		},
		Sync: func(t embedsom.Target) { t.(*render.PointBuffer).Sync() },
	}
}
