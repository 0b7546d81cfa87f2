package scale

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"

	"blossom/model/base/plain"
	"blossom/model/data/dataset"
	"blossom/model/data/format"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/document/parts"
	"blossom/model/document/state"
	"blossom/model/job"
)

// A sample of the rows, with all columns, is what a window shows of a finished folder: ShownFile is the job of it.
const (
	ShownFile  = "sample.json"
	SampleFile = "sample.parquet"
)

// MostShown is how many rows the sample has where nothing else is said.
const MostShown = 1_000_000

// key puts a row, from 0, of all shards into the order of the sample: the sample are the rows of the smallest keys, so
// it is the same however rows lie in files, and its first rows are a sample, too. The mixing is that of splitmix64
// (Steele, Lea and Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
func key(seed uint64, row int64) uint64 {
	z := seed ^ uint64(row)
	z += 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// below is the limit of the keys of candidates, so that with near certainty there are want of them among rows: six
// standard deviations more are expected.
func below(rows int64, want int) uint64 {
	more := float64(want) + 6*math.Sqrt(float64(want)) + 10
	if more >= float64(rows) {
		return math.MaxUint64
	}
	share, all := big.NewFloat(more/float64(rows)), new(big.Float).SetMantExp(big.NewFloat(1), 64)
	limit, _ := share.Mul(share, all).Uint64()
	return limit
}

// candidate is a row that may be of the sample.
type candidate struct {
	key uint64
	row int64 // its number among all rows
}

func (c candidate) compare(o candidate) int {
	return cmp.Or(cmp.Compare(c.key, o.key), cmp.Compare(c.row, o.row))
}

// first is the number of the first row of a part.
func (p *Plan) first(part int) (row int64) {
	for _, s := range p.Shards[:part] {
		row += int64(s.Rows)
	}
	return row
}

// candidates are the rows of a part that may be of the sample, from the part's first, ascending.
func (p *Plan) candidates(part int) (rows []int32, keys []uint64) {
	first, limit := p.first(part), below(p.Rows(), p.Shown)
	for i := range p.Shards[part].Rows {
		if k := key(p.Jobs[0].Seed, first+int64(i)); k <= limit {
			rows, keys = append(rows, int32(i)), append(keys, k)
		}
	}
	return rows, keys
}

// sample is where the rows of a part are written that may be of the sample.
func (p *Plan) sample(part int) string {
	return filepath.Join(p.folder, partsFolder, fmt.Sprintf("%06d.sample.parquet", part))
}

// saveSample writes them, with the columns of the data as they are. Of a part without any there is no file.
// The receipt is told.
func (p *Plan) saveSample(ctx context.Context, r *Receipt, data *dataset.Dataset) error {
	if p.Shown == 0 {
		return nil
	}
	rows, _ := p.candidates(r.Part)
	if r.Sampled = len(rows); len(rows) == 0 {
		return nil
	}
	ds, err := taken(ctx, data, rows)
	if err != nil {
		return err
	}
	if err := format.Save(ctx, p.sample(r.Part), ds, nil); err != nil {
		return err
	}
	r.Sample, _, err = p.sums.hash(ctx, p.sample(r.Part))
	return err
}

// taken are some rows of a table, ascending. An outline is read once more for them.
func taken(ctx context.Context, data *dataset.Dataset, rows []int32) (*dataset.Dataset, error) {
	if !data.Outlined() {
		return dataset.Take(ctx, data, rows)
	}
	columns, done := slices.Clone(data.Columns), 0
	err := data.EachRange(ctx, func(from int, some *dataset.Dataset) error {
		for ; done < len(rows) && int(rows[done]) < from+some.Points; done++ {
			at := int(rows[done]) - from
			for i, c := range some.Columns {
				columns[i].Values = append(columns[i].Values, c.Values[at])
				if c.Exact != nil {
					columns[i].Exact = append(columns[i].Exact, c.Exact[at])
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out := data.Described(columns)
	out.Points, out.Total, out.Rows = len(rows), len(rows), nil
	return dataset.Take(ctx, out, numbers(len(rows))) // with statistics of their own
}

// numbers are those below n.
func numbers(n int) []int32 {
	out := make([]int32, n)
	for i := range out {
		out[i] = int32(i)
	}
	return out
}

// hasSample says whether the sample of a part is there, if it has one. whole looks at its bytes.
func (p *Plan) hasSample(ctx context.Context, r Receipt, whole bool) bool {
	if p.Shown == 0 || r.Sampled == 0 && !whole {
		return true
	}
	if !whole {
		_, err := os.Stat(p.sample(r.Part))
		return err == nil
	}
	if rows, _ := p.candidates(r.Part); len(rows) != r.Sampled {
		return false
	}
	if r.Sampled == 0 {
		return true
	}
	sum, _, err := p.sums.hash(ctx, p.sample(r.Part))
	return err == nil && sum == r.Sample
}

// joinSamples makes the sample of the parts that are there, in the order of the keys. It returns how many rows it has.
func (p *Plan) joinSamples(ctx context.Context, there []Receipt) (int, error) {
	var those []candidate
	var with []int // parts that have some
	for _, r := range there {
		part := r.Part
		rows, keys := p.candidates(part)
		first := p.first(part)
		for i, r := range rows {
			those = append(those, candidate{keys[i], first + int64(r)})
		}
		if len(rows) > 0 {
			with = append(with, part)
		}
	}
	if len(those) == 0 {
		return 0, nil
	}
	order := numbers(len(those)) // rows of the files of samples, one after the other
	slices.SortFunc(order, func(a, b int32) int { return those[a].compare(those[b]) })
	order = order[:min(len(order), p.Shown)]
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // tables that were read are given back before the next are made
	ds, err := p.samples(ctx, with)
	if err == nil {
		err = arrange(ctx, ds, order)
	}
	if err == nil {
		err = format.Save(ctx, p.Sample(), ds, nil)
	}
	return len(order), err
}

// arrange takes some rows of a table, which nobody else has, in this order: one column after the other, so that there
// is never more than one of them twice.
func arrange(ctx context.Context, ds *dataset.Dataset, rows []int32) error {
	for i := range ds.Columns {
		one := *ds
		one.Columns = ds.Columns[i : i+1]
		taken, err := dataset.Take(ctx, &one, rows)
		if err != nil {
			return err
		}
		ds.Columns[i] = taken.Columns[0]
	}
	ds.Points, ds.Total = len(rows), len(rows)
	return nil
}

// samples are the samples of parts, one after the other, with the names of the files that the rows are of.
func (p *Plan) samples(ctx context.Context, of []int) (*dataset.Dataset, error) {
	var tables []*dataset.Dataset
	for len(of) > 0 {
		n := 1 // parts of one file
		for n < len(of) && p.Shards[of[n]].Path == p.Shards[of[0]].Path {
			n++
		}
		some, err := p.partSamples(ctx, of[:n])
		if err != nil {
			return nil, err
		}
		one, err := together(ctx, some)
		if err != nil {
			return nil, err
		}
		one.Name = filepath.Base(filepath.FromSlash(p.Shards[of[0]].Path))
		tables, of = append(tables, one), of[n:]
	}
	if len(tables) == 1 {
		return tables[0], nil
	}
	return match.New(tables, match.How{By: match.Name}).Join(ctx)
}

// together is one table of the rows of several of one file, which do not say that they were several.
func together(ctx context.Context, tables []*dataset.Dataset) (*dataset.Dataset, error) {
	if len(tables) == 1 {
		return tables[0], nil
	}
	all, err := dataset.Concat(ctx, tables)
	if err != nil {
		return nil, err
	}
	out := tables[0].Described(all.Columns[:len(all.Columns)-1]) // the last says which of them a row is of
	out.Points, out.Total = all.Points, all.Points
	return out, nil
}

// partSamples are the samples of parts.
func (p *Plan) partSamples(ctx context.Context, of []int) (tables []*dataset.Dataset, err error) {
	for _, part := range of {
		ds, err := source.Read(ctx, p.sample(part), format.Options{})
		for try := 0; err != nil && ctx.Err() == nil && try < 20; try++ {
			if _, whole := p.Done(ctx, part, true); !whole {
				break
			}
			// somebody else has put the same bytes in its place meanwhile
			ds, err = source.Read(ctx, p.sample(part), format.Options{})
		}
		if err != nil {
			return nil, err
		}
		tables = append(tables, ds)
	}
	return tables, nil
}

// saveShown writes the job that a window opens: the map of the plan, with the sample as its data.
func (p *Plan) saveShown() error {
	j, err := p.job(0)
	if err != nil {
		return err
	}
	j.Data[0] = job.File{Path: SampleFile}
	written, _ := j.Wanted[0].Paths()
	*written[0] = ""
	return writeShown(p.folder, p.Frame != nil, j)
}

// writeShown writes the job that a window opens of a folder, in which rows are counted or not.
func writeShown(folder string, counted bool, j *job.Job) error {
	if counted { // the density of all rows is seen first, which points of one colour leave to be seen
		looks, err := json.Marshal(parts.LookTable{parts.FirstView: parts.DefaultLook()})
		if err != nil {
			return err
		}
		j.State["looks"] = state.Encoded{Version: 1, Value: looks}
	}
	return format.AtomicWrite(filepath.Join(folder, ShownFile), func(w io.Writer) error { return j.Write(w) })
}

// SampleIn is the table of the rows that a window shows of a finished folder.
func SampleIn(folder string) string { return filepath.Join(folder, SampleFile) }

// Sample is that of the plan's folder.
func (p *Plan) Sample() string { return SampleIn(p.folder) }

// Shown is what is opened for a path: the sample of a finished folder, else the path itself.
func Shown(path string) string {
	shown := filepath.Join(path, ShownFile)
	if st, err := os.Stat(filepath.Join(path, ManifestFile)); err != nil || !st.Mode().IsRegular() {
		return path
	}
	if err := plain.Check(shown); err != nil && errors.Is(err, fs.ErrNotExist) {
		return path
	}
	return shown
}

// ShownOf is Shown, and that of its folder for the table of a sample.
func ShownOf(path string) string {
	if folder := filepath.Dir(path); filepath.Base(path) == SampleFile {
		if shown := Shown(folder); shown != folder {
			return shown
		}
	}
	return Shown(path)
}
