// Package demo makes the data sets that need no file: shapes whose map a user can judge by eye, and
// a simulated blood sample for those who work with cytometry.
//
// Every point is drawn from a generator seeded by the seed and the block of rows that it lies in, so a
// data set does not depend on the number of cores, and the first m rows of n points are the data set
// of m points.
package demo

import (
	"context"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
)

// DefaultPoints is the size of a demo data set where nothing else is asked for.
const DefaultPoints = 50_000

// MaxPoints is the largest size that can be asked for.
const MaxPoints = 100_000_000

// Demo describes one data set that can be generated.
type Demo struct {
	Name  string // stable key, "s-sheet"
	Title string // for menus
	Help  string // one line: what it is and what to look for
	open  func() source
	// Start is what its map begins with, as far as that is not what any table begins with.
	Start Start
}

// Start is how the map of a data set begins and is trained.
type Start struct {
	// Along: landmarks are laid out along the data (landmark.StartAlong), for shapes that a grid would tear.
	Along bool
	// Algorithm is a train.Algorithm ID, "" the default; Values are parameters of it that are not as suggested.
	Algorithm string
	Values    map[string]float64
}

// StartOf is the start of the data set of that path, "demo:NAME"; of anything else it is empty.
func StartOf(path string) Start {
	name, _, ok, _ := Parse(path)
	if !ok {
		return Start{}
	}
	d, _ := ByName(name)
	return d.Start
}

// source draws the points of one data set. It is not changed by drawing, so blocks are drawn in parallel.
type source struct {
	columns  []dataset.Column // without values and statistics
	metadata map[string]string
	// point draws row i into out, one value per column.
	point func(rng *rand.Rand, i int, out []float32)
}

// A skeleton has many ends, which landmarks find late.
var long = Start{Algorithm: "som-batch", Values: map[string]float64{"epochs": 40, "sigma_from": 5}}

// A grid can be bent into a sheet, but it tears where the sheet is bent further than a grid spread over two straight
// directions can follow, and it has no hole. 1.5 is landmark.AlongSigma, which lies further on.
var bent = Start{Along: true, Values: map[string]float64{"sigma_from": 1.5, "sigma_to": 0.8}}

// All lists the data sets in the order of menus.
func All() []Demo {
	return []Demo{
		{"mammoth", "Mammoth", "a mammoth's skeleton with its trunk, 3 columns: look for legs, ribs and tusks",
			mammoth, long},
		{"cytometry", "Blood sample",
			"simulated blood in 30 colours, 30 markers, 31 populations of 0.3 to 15 %, a few doublets", cytometry,
			Start{}},
		{"tesseract", "Tesseract", "gaussian clusters on the 16 corners of a 4D cube: look for 16 separate islands",
			tesseract, Start{}},
		{"s-sheet", "S sheet", "an extruded letter S, 3 columns: look for one unrolled rectangle", sSheet, bent},
		{"torus-knot", "Torus knot", "a thick (3, 7) torus knot, 3 columns: look for one closed band", torusKnot,
			bent},
	}
}

// ByName returns the data set of that name.
func ByName(name string) (Demo, bool) {
	for _, d := range All() {
		if d.Name == name {
			return d, true
		}
	}
	return Demo{}, false
}

// Names lists the names of all data sets.
func Names() []string {
	var names []string
	for _, d := range All() {
		names = append(names, d.Name)
	}
	return names
}

// Parse reads the form in which a demo data set stands for a file: "demo:NAME" or "demo:NAME:POINTS".
// ok is false where path is not of that form; points is 0 where none are given.
func Parse(path string) (name string, points int, ok bool, err error) {
	rest, ok := strings.CutPrefix(path, "demo:")
	if !ok {
		return "", 0, false, nil
	}
	name, count, counted := strings.Cut(rest, ":")
	if counted {
		points, err = strconv.Atoi(count)
		if err != nil || points < 1 || points > MaxPoints {
			return name, 0, true, problem.New(path, "write demo:NAME or demo:NAME:100000",
				"%q is not a number of points from 1 to %d", count, MaxPoints)
		}
	}
	return name, points, true, nil
}

// block is the number of rows that share one generator.
const block = 4096

// available says how much memory is free; tests set it.
var available = format.AvailableMemory

// Generate makes n points of the named data set; name, n and seed decide the values. It fails for an
// unknown name, an impossible n, one that does not fit into memory, and a context that is done.
func Generate(ctx context.Context, name string, n int, seed uint64) (*dataset.Dataset, error) {
	return Rows(ctx, name, n, nil, seed)
}

// Rows makes only the given rows, ascending, of the n points that Generate would make; nil means all.
// Only what is given takes memory, and rows after the last one take no time.
func Rows(ctx context.Context, name string, n int, rows []int64, seed uint64) (*dataset.Dataset, error) {
	d, ok := ByName(name)
	if !ok {
		return nil, problem.New("demo:"+name, "the demo data sets are "+strings.Join(Names(), ", "),
			"no such demo data set")
	}
	made, last, err := span(name, n, rows)
	if err != nil {
		return nil, err
	}
	src := d.open()
	cols := src.columns
	if err := format.Fits("demo:"+name, int64(made), int64(len(cols)), available(), func(n int64) string {
		return fmt.Sprintf("ask for fewer points, demo:%s:%d", name, n)
	}); err != nil {
		return nil, err
	}
	for i := range cols {
		cols[i].Values = make([]float32, made)
	}
	if err := src.draw(ctx, rows, made, last, seed); err != nil {
		return nil, err
	}
	return finish(ctx, d, src, seed, n)
}

// span returns how many of n points are kept, and where the last of them ends: none after that is drawn.
func span(name string, n int, rows []int64) (made, last int, err error) {
	if n < 0 || n > MaxPoints {
		return 0, 0, problem.New("demo:"+name, "ask for 0 to "+strconv.Itoa(MaxPoints)+" points",
			"%d points cannot be made", n)
	}
	if rows == nil {
		return n, n, nil
	}
	if made = len(rows); made > 0 {
		last = int(rows[made-1]) + 1
	}
	if last > n || made > 0 && rows[0] < 0 || !slices.IsSorted(rows) {
		return 0, 0, problem.New("demo:"+name, "name ascending rows from 0",
			"rows %d and on do not lie in %d points", made, n)
	}
	return made, last, nil
}

// draw fills the columns on all cores, a block of points at a time; each block has a generator of its own, so that the
// points do not depend on the number of cores. The error is ctx's.
func (s source) draw(ctx context.Context, rows []int64, made, last int, seed uint64) error {
	blocks := make(chan int)
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			row := make([]float32, len(s.columns))
			for b := range blocks {
				rng := rand.New(rand.NewPCG(seed, uint64(b)))
				to := b * block // where the row goes
				if rows != nil {
					to, _ = slices.BinarySearch(rows, int64(to))
				}
				for i := b * block; i < min(last, (b+1)*block); i++ {
					s.point(rng, i, row) // also where it is not kept: the next one depends on it
					for ; to < made && (rows == nil && to == i || rows != nil && rows[to] == int64(i)); to++ {
						for c, v := range row {
							s.columns[c].Values[to] = v
						}
					}
				}
			}
		})
	}
	for b := 0; b*block < last && ctx.Err() == nil; b++ {
		blocks <- b
	}
	close(blocks)
	workers.Wait()
	return ctx.Err()
}

// finish makes the dataset of the drawn columns. Roles are the ones that the source declares: a demo
// knows what its columns are for.
func finish(ctx context.Context, d Demo, src source, seed uint64, n int) (*dataset.Dataset, error) {
	roles := make([]dataset.Role, len(src.columns))
	for i := range src.columns {
		roles[i] = src.columns[i].Role
	}
	ds, err := dataset.FromColumns(ctx, d.Name, src.columns)
	if err != nil {
		return nil, err
	}
	for i, r := range roles {
		ds.Columns[i].SetRole(r)
	}
	ds.Total = n
	ds.Format = "demo"
	ds.Path = "demo:" + d.Name
	ds.Metadata = map[string]string{"description": d.Help, "points": strconv.Itoa(n),
		"seed": strconv.FormatUint(seed, 10)}
	for k, v := range src.metadata {
		ds.Metadata[k] = v
	}
	return ds, nil
}
