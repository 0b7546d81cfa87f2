package render

// SetTile makes a job draw in small tiles, as it does beyond the size of textures.
func (j *PictureJob) SetTile(side int) { j.side = side }

// Arrays returns how many vertex arrays there are.
func (r *Renderer) Arrays() int { return len(r.arrays) }

// CountAlways has points counted also where OpenGL is software.
func (r *Renderer) CountAlways() { r.crowds.always = true }

// Counted is how many points the picture shows that are counted.
func (l *Layer) Counted() int { return l.crowd.points }

// CountInPieces has so many points counted at a time until the function that it returns is called.
func CountInPieces(points int) (back func()) {
	was := piecePoints
	piecePoints = points
	return func() { piecePoints = was }
}

// Coarse is how many bits of colours are left out.
var Coarse = coarse
