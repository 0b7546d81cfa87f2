package pyramid

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
	"blossom/model/data/format"
)

// HeadFile is the name of what says what the other files of a pyramid are.
const HeadFile = "pyramid.json"

const (
	headFormat  = "blossom pyramid"
	headVersion = 1
	mostHead    = 1 << 20
)

// Head says what is in a pyramid.
type Head struct {
	Format  string  `json:"format"`
	Version int     `json:"version"`
	Frame   Frame   `json:"frame"`
	Points  int64   `json:"points"`  // all
	Inside  int64   `json:"inside"`  // the frame
	Outside int64   `json:"outside"` // points beyond it
	Nowhere int64   `json:"nowhere"` // points without a place
	Levels  []Level `json:"levels"`
}

// Level is the counts of cells of one size.
type Level struct {
	Side  int      `json:"side"` // cells of a side
	Most  uint64   `json:"most"` // points of the fullest cell
	Tiles []string `json:"tiles"`
}

// tileName is the name of a tile, by where it is from the least coordinates on.
func tileName(x, y int) string { return fmt.Sprintf("%02d-%02d", x, y) }

const tileEnding = ".npy.gz"

// tilePath is the file of a tile.
func tilePath(folder string, side int, name string) string {
	return filepath.Join(folder, fmt.Sprint(side), name+tileEnding)
}

// Write writes the pyramid of counts into a folder, in the place of another: all levels, each the sums of the one
// below. It takes the folder's place as a whole. The error is a Problem, or ctx's.
func (c *Counts) Write(ctx context.Context, folder string) (err error) {
	temporary, err := os.MkdirTemp(filepath.Dir(folder), "."+filepath.Base(folder)+"-*")
	if err != nil {
		return plain.Problem(err, folder)
	}
	defer os.RemoveAll(temporary)
	beside := filepath.Join(temporary, "new") // which everybody may read who may read what is around it
	if err := os.Mkdir(beside, 0o777); err != nil {
		return plain.Problem(err, folder)
	}
	h := Head{Format: headFormat, Version: headVersion, Frame: c.Frame, Points: c.Points(), Inside: c.Inside(),
		Outside: c.Outside, Nowhere: c.Nowhere}
	finest := func(x, y int) ([]uint64, bool) { return c.tile(x, y) }
	for side, get := Side, finest; side >= Coarsest; side /= 2 {
		level, made, err := writeLevel(ctx, beside, side, get)
		if err != nil {
			return err
		}
		h.Levels = append(h.Levels, level)
		get = func(x, y int) ([]uint64, bool) { return halved(made, x, y) }
	}
	err = format.AtomicWrite(filepath.Join(beside, HeadFile), func(w io.Writer) error {
		text, err := json.MarshalIndent(h, "", " ")
		if err == nil {
			_, err = w.Write(append(text, '\n'))
		}
		return err
	})
	if err != nil {
		return err
	}
	return replace(beside, folder)
}

// replace puts a folder in the place of another one. Somebody else may do the same with what is the same.
func replace(with, folder string) error {
	err := error(nil)
	for try := range 100 {
		old := filepath.Join(filepath.Dir(with), fmt.Sprint("old", try))
		if err = os.Rename(folder, old); err == nil || errors.Is(err, fs.ErrNotExist) {
			err = os.Rename(with, folder)
		}
		if err == nil || !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return problem.Wrap(err, folder, "see who else writes there, and finish again", "cannot be written (%v)", err)
	}
	return nil
}

// tile is a tile of the finest level.
func (c *Counts) tile(x, y int) ([]uint64, bool) {
	few := c.tiles[y*tiles+x]
	if few == nil {
		return nil, false
	}
	out := make([]uint64, tileCells)
	for i, n := range few {
		out[i] = uint64(n)
	}
	for cell, n := range c.over {
		if tile, place := at(cell); tile == y*tiles+x {
			out[place] += uint64(n) << 32
		}
	}
	return out, true
}

// quarter is a tile in the size that it has on the next level.
type quarter []uint64

const half = TileSide / 2

// writeLevel writes the tiles of a level that have points, and returns them in the size of the next one.
func writeLevel(ctx context.Context, folder string, side int, get func(x, y int) ([]uint64, bool)) (l Level,
	made map[[2]int]quarter, err error) {
	l, made = Level{Side: side, Tiles: []string{}}, map[[2]int]quarter{}
	if err := os.Mkdir(filepath.Join(folder, fmt.Sprint(side)), 0o777); err != nil {
		return l, nil, plain.Problem(err, folder)
	}
	for y := range side / TileSide {
		for x := range side / TileSide {
			if ctx.Err() != nil {
				return l, nil, ctx.Err()
			}
			counts, any := get(x, y)
			if !any {
				continue
			}
			q := make(quarter, half*half)
			for i, n := range counts {
				l.Most = max(l.Most, n)
				q[i/TileSide/2*half+i%TileSide/2] += n
			}
			name := tileName(x, y)
			l.Tiles, made[[2]int{x, y}] = append(l.Tiles, name), q
			err := format.AtomicWrite(tilePath(folder, side, name), func(w io.Writer) error {
				return writeTile(w, counts)
			})
			if err != nil {
				return l, nil, err
			}
		}
	}
	return l, made, nil
}

// halved is a tile made of the four of the level below.
func halved(made map[[2]int]quarter, x, y int) (out []uint64, any bool) {
	for i := range 4 {
		q, there := made[[2]int{2*x + i%2, 2*y + i/2}]
		if !there {
			continue
		}
		if out == nil {
			out = make([]uint64, tileCells)
		}
		for row := range half {
			copy(out[(i/2*half+row)*TileSide+i%2*half:], q[row*half:(row+1)*half])
		}
	}
	return out, out != nil
}
