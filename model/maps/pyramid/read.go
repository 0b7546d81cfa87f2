package pyramid

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"sync"

	"blossom/model/base/plain"
	"blossom/model/base/problem"
)

// Pyramid is counts of points that lie in a folder. It may be read by several goroutines.
type Pyramid struct {
	Head
	folder string

	mu   sync.Mutex
	kept []keptTile // tiles that were read last, the latest at the end
}

// keptTile is a tile that has been read.
type keptTile struct {
	side, x, y int
	counts     []uint64
}

// mostKept is how many tiles are kept in memory, each of half a megabyte: those of two pictures.
const mostKept = 96

const remedy = "finish the folder again: blossom finish, or blossom resume"

// Open opens the pyramid in a folder. The error is a Problem.
func Open(folder string) (*Pyramid, error) {
	path := filepath.Join(folder, HeadFile)
	text, err := plain.ReadFile(path, mostHead)
	if err != nil {
		return nil, plain.Problem(err, path)
	}
	p := &Pyramid{folder: folder}
	if err := json.Unmarshal(text, &p.Head); err != nil || p.Format != headFormat {
		return nil, problem.New(path, remedy, "is no pyramid of counts")
	}
	if p.Version != headVersion {
		return nil, problem.New(path, "use the blossom that made it", "is of version %d, this program knows %d",
			p.Version, headVersion)
	}
	var sides []int
	for _, l := range p.Levels {
		sides = append(sides, l.Side)
	}
	if !p.Frame.Sound() || !slices.Equal(sides, Sides()) {
		return nil, problem.New(path, remedy, "makes no sense")
	}
	return p, nil
}

// Same says whether the heads of two pyramids are the same: their frames, and their points and tiles by levels.
func (p *Pyramid) Same(q *Pyramid) bool { return reflect.DeepEqual(p.Head, q.Head) }

// Has says whether all tiles that a span has are in memory.
func (p *Pyramid) Has(s Span) bool {
	for x, y := range s.tiles() {
		if _, ok := p.had(s.Side, x, y); !ok && p.stored(s.Side, x, y) {
			return false
		}
	}
	return true
}

// stored says whether there is a file of a tile: it has points.
func (p *Pyramid) stored(side, x, y int) bool {
	at := slices.IndexFunc(p.Levels, func(l Level) bool { return l.Side == side })
	return at >= 0 && slices.Contains(p.Levels[at].Tiles, tileName(x, y))
}

// Files are those that it lies in, from its folder, with slashes.
func (p *Pyramid) Files() (names []string) {
	names = append(names, HeadFile)
	for _, l := range p.Levels {
		for _, tile := range l.Tiles {
			names = append(names, fmt.Sprint(l.Side, "/", tile, tileEnding))
		}
	}
	return names
}

// Tile is the counts of a tile of the level whose sides have so many cells, in rows from the least coordinates on; nil:
// there are no points in it. The caller must not change it. The error is a Problem.
func (p *Pyramid) Tile(side, x, y int) ([]uint64, error) {
	if !p.stored(side, x, y) {
		return nil, nil
	}
	if counts, ok := p.had(side, x, y); ok {
		return counts, nil
	}
	path := tilePath(p.folder, side, tileName(x, y))
	f, err := plain.Open(path)
	if err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, problem.Wrap(err, path, remedy, "is missing")
		}
		return nil, plain.Problem(err, path)
	}
	defer f.Close()
	counts, err := readTile(f)
	if err != nil {
		return nil, problem.Wrap(err, path, remedy, "is damaged")
	}
	p.keep(keptTile{side, x, y, counts})
	return counts, nil
}

// had is a tile that is kept.
func (p *Pyramid) had(side, x, y int) ([]uint64, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	i := slices.IndexFunc(p.kept, func(k keptTile) bool { return k.side == side && k.x == x && k.y == y })
	if i < 0 {
		return nil, false
	}
	k := p.kept[i]
	p.kept = append(slices.Delete(p.kept, i, i+1), k)
	return k.counts, true
}

func (p *Pyramid) keep(k keptTile) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.kept) >= mostKept {
		p.kept = slices.Delete(p.kept, 0, 1)
	}
	p.kept = append(p.kept, k)
}
