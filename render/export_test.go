package render

// SetTile makes a job draw in small tiles, as it does beyond the size of textures.
func (j *PictureJob) SetTile(side int) { j.side = side }

// Arrays returns how many vertex arrays there are.
func (r *Renderer) Arrays() int { return len(r.arrays) }
