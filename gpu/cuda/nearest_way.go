package cuda

import (
	"context"
	"errors"

	"blossom/model/base/par"
	"blossom/model/space/knn"
)

// way is what the rows of a piece look through: all panels, or those of cells.
type way struct {
	entries, panels int64 // the longest way of the piece
	// For cells: which panels each has, how many its rows look through, and how many of a piece there is room for.
	cells *knn.Cells
	panel []int32
	long  []int64
	most  int64

	start, list, place, asking, first *room
	parts                             []int64 // where in lists each block begins and ends
	lists                             []int32 // cells
	where                             []int32 // panels of the piece before each of them
	asks                              []int32 // whose rows look through it
	of                                []int32 // cell of each block
	askers                            []asker
}

// asker is a cell whose rows look through others: where these begin in lists, and how many panels are before theirs.
type asker struct {
	cell         int
	from, panels int64
}

// someBegins is how many panels of a piece begins are kept of, half a gigabyte, unless a single cell has more.
const someBegins = 1 << 21

// measure finds how long the ways of cells are.
func (w *way) measure(f *finder) {
	w.cells, w.panel = f.q.Cells, f.first
	if w.cells == nil {
		w.entries, w.panels = int64(f.first[1]), int64(f.first[1])
		return
	}
	n := w.cells.Len()
	w.long = make([]int64, n+1) // invalid rows look through nothing
	asked, all, longest := make([]bool, n+1), int64(0), int64(1)
	for _, b := range f.blocks {
		if asked[b.Cell] || b.Cell == n {
			continue
		}
		asked[b.Cell] = true
		if probe := w.cells.Probe[b.Cell]; len(probe) == n { // all of them
			w.long[b.Cell] = int64(w.panel[n])
		} else {
			for _, c := range probe {
				w.long[b.Cell] += int64(w.panel[c+1] - w.panel[c])
			}
		}
		longest, all = max(longest, w.long[b.Cell]), all+w.long[b.Cell]
	}
	w.most = min(all, max(longest, someBegins))
}

// listed is how many cells the rows of so many blocks may name.
func (w *way) listed(blocks int64) int64 {
	n := int64(w.cells.Len())
	return min(blocks, n+1) * n
}

// bytes is what open takes.
func (w *way) bytes(blocks int64) int64 {
	if w.cells == nil {
		return 0
	}
	return 16*blocks + 12*w.listed(blocks) + 4*int64(len(w.panel))
}

// open takes memory for so many blocks.
func (w *way) open(f *finder, blocks int64) error {
	if w.cells == nil {
		return nil
	}
	all := 4 * w.listed(blocks)
	if err := f.takeRooms(map[**room]int64{&w.start: 16 * blocks, &w.list: all, &w.place: all, &w.asking: all,
		&w.first: 4 * int64(len(w.panel))}); err != nil {
		return err
	}
	return send(&f.work, w.first.at, w.panel)
}

// look finds what blocks look through, and returns of how many of them: of the first, at least of one.
func (w *way) look(f *finder, blocks []knn.Block) int {
	if w.cells == nil {
		return len(blocks)
	}
	w.parts, w.of, w.askers = w.parts[:0], w.of[:0], w.askers[:0]
	w.entries, w.panels = 0, 0
	n, listed, all := len(blocks), int64(0), int64(0)
	for i, b := range blocks {
		if i > 0 && blocks[i-1].Cell == b.Cell { // blocks of a cell follow each other
			w.parts, w.of = append(w.parts, w.parts[2*i-2:]...), append(w.of, int32(b.Cell))
			continue
		}
		long := w.long[b.Cell]
		if i > 0 && all+long > w.most {
			n = i
			break
		}
		from := listed
		if b.Cell < w.cells.Len() {
			w.askers = append(w.askers, asker{b.Cell, listed, all})
			listed, all = listed+int64(len(w.cells.Probe[b.Cell])), all+long
		}
		w.parts, w.of = append(w.parts, from, listed), append(w.of, int32(b.Cell))
		w.entries, w.panels = max(w.entries, listed-from), max(w.panels, long)
	}
	w.name(int(listed))
	return n
}

// name names the cells that each asker's rows look through, so many in all.
func (w *way) name(listed int) {
	w.lists, w.where, w.asks = sized(w.lists, listed), sized(w.where, listed), sized(w.asks, listed)
	_ = par.Blocks(context.Background(), len(w.askers), 4, func(_, from, to int) {
		for _, a := range w.askers[from:to] {
			probe, at := w.cells.Probe[a.cell], int32(a.panels)
			copy(w.lists[a.from:], probe)
			where, asks := w.where[a.from:][:len(probe)], w.asks[a.from:][:len(probe)]
			for i, c := range probe {
				where[i], asks[i] = at, int32(a.cell)
				at += w.panel[c+1] - w.panel[c]
			}
		}
	})
}

// send brings to the card what look has found.
func (w *way) send(f *finder) error {
	if w.cells == nil {
		return nil
	}
	return errors.Join(send(&f.work, w.start.at, w.parts), send(&f.work, w.list.at, w.lists),
		send(&f.work, w.place.at, w.where), send(&f.work, w.asking.at, w.asks))
}
