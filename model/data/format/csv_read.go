package format

import (
	"bytes"
	"cmp"
	"context"
	"io"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// readText reads a text table: its beginning shows how it is written; then chunks of it are parsed on
// all cores. A sample needs a pass before that which counts the records, so that every record has the
// same chance. Should a column turn out to hold labels where its beginning had numbers, or the other
// way round, or that float32 cannot hold its numbers, the table is parsed once more.
func readText(ctx context.Context, in *input, ext string) (*dataset.Dataset, error) {
	counted := in.o.MaxPoints > 0 || in.o.Count > 0 && in.o.Span == nil // to know which rows are read
	passes := int64(1)
	if counted {
		passes = 2
	}
	t := &textTable{in: in, meter: newMeter(in.size*passes, in.o.Progress)}
	if err := t.start(ctx, ext); err != nil {
		return nil, fileProblem(err, in.path)
	}
	if counted {
		if err := t.count(ctx); err != nil {
			return nil, fileProblem(err, in.path)
		}
	}
	columns, err := t.parse(ctx)
	for again := true; err == nil && again; { // kinds are reconsidered once, then digits
		if err = t.asBegun(columns); err != nil {
			break
		}
		again = t.d.exact == nil && in.o.Count == 0 && t.reconsider(columns)
		var coarse bool
		if coarse, err = t.coarse(ctx, columns); err == nil && (coarse || again) {
			again = true
			columns, err = t.parse(ctx)
		}
	}
	if err == nil {
		err = in.asMany(int64(t.rows))
	}
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	return t.dataset(ctx, columns)
}

// textTable is a text table that is being read.
type textTable struct {
	in     *input
	meter  *meter
	d      *dialect
	blocks []*block

	total   int64   // records in the file, once counted
	chosen  picked  // the wanted ones, once counted
	perSeq  []int64 // records in each chunk
	sampled bool    // they have been counted, and chosen are read

	// The cells of a column of labels: those with a number, those with a word that stands for no value among numbers
	// only, those with anything.
	numbers, blanks, labelled []int
	rows                      int    // rows that were parsed
	spool                     *spool // where their values go; nil: they stay in memory
}

func (t *textTable) stream(ctx context.Context, m *meter) (*textStream, *countedReader, error) {
	c := &countedReader{r: t.in.r, size: t.in.size, m: m, ctx: ctx}
	r, err := textReader(c)
	return r, c, err
}

func (t *textTable) chunks(ctx context.Context, m *meter) (*chunker, *bombWatch, error) {
	if s := t.in.o.Span; s != nil {
		file := &countedReader{r: t.in.r, pos: s.From, size: s.To, m: m, ctx: ctx}
		r := withinText(file)
		return &chunker{r: r, d: t.d, in: t.in, line: s.Line}, &bombWatch{r: r, file: file}, nil
	}
	r, file, err := t.stream(ctx, m)
	if err != nil {
		return nil, nil, err
	}
	c, err := newChunker(r, t.d, t.in)
	return c, &bombWatch{r: r, file: file}, err
}

// head reads the beginning: at least 1 MiB, and two records.
func (t *textTable) head(r io.Reader) (head []byte, whole bool, err error) {
	head = make([]byte, 0, max(64<<10, min(1<<20, 2*t.in.size)))
	for {
		for len(head) < cap(head) && !whole {
			n, err := r.Read(head[len(head):cap(head)])
			head = head[:len(head)+n]
			if err == io.EOF {
				whole = true
			} else if err != nil {
				return nil, false, err
			}
		}
		lines := bytes.Count(head, []byte{'\n'})
		if lines == 0 {
			lines = bytes.Count(head, []byte{'\r'})
		}
		if whole || lines > 2 {
			return head, whole, nil
		}
		if len(head) >= maxRecord {
			return nil, false, t.in.problem("check that it is a table with one row per line",
				"its first line is longer than %s", size(maxRecord))
		}
		head = slices.Grow(head, len(head))
	}
}

// start reads the beginning. It sets the dialect and refuses a table
// that is too large for the memory by what its beginning shows.
func (t *textTable) start(ctx context.Context, ext string) error {
	if err := t.in.spanned(); err != nil {
		return err
	}
	r, file, err := t.stream(ctx, nil)
	if err != nil {
		return err
	}
	head, whole, err := t.head(r)
	if err != nil {
		return err
	}
	if len(bytes.TrimSpace(head)) == 0 {
		return t.in.problem("check that it was saved completely", "holds only empty lines")
	}
	if !isText(head) {
		return t.in.problem("save it as CSV, TSV, FCS, NPY or NPZ", "is not text")
	}
	if what, remedy := foreignText(head); what != "" {
		return t.in.problem(cmp.Or(remedy, "save it as CSV, TSV, FCS, NPY or NPZ"), "is %s, not a table", what)
	}

	if t.d, _, err = sniffDialect(head, whole, ext, t.in.o.Reading); err != nil {
		p := problem.As(err)
		return t.in.problem(p.Remedy, "%s", p.What)
	}
	if len(t.d.names) == 1 && t.d.names[0] == "" && !t.d.header && len(t.d.records(head, whole)) == 0 {
		if whole {
			return t.in.problem("check that it was saved completely", "holds comments and no rows")
		}
		return t.in.problem("take the comments at its beginning out", "its first %s hold comments only",
			size(float64(len(head))))
	}
	// The rest is taken to have records as long as those seen, and to be packed as tightly.
	rows := float64(bytes.Count(head, []byte{t.d.eol}))
	if seen := t.d.records(head, whole); len(seen) < sniffRecords {
		rows = float64(len(seen))
	}
	if !whole {
		rows *= float64(t.in.size) / float64(max(1, file.pos-r.ahead()))
	}
	for _, most := range []int64{int64(t.in.o.MaxPoints), t.in.o.Count} {
		if most > 0 {
			rows = min(rows, float64(most))
		}
	}
	if t.spool != nil {
		return nil
	}
	return t.in.o.guard(t.in.path, int64(min(rows, 1<<53)), int64(len(t.d.names)))
}

// count counts the records and chooses those that are read.
func (t *textTable) count(ctx context.Context) error {
	n, err := t.records(ctx, t.meter, nil)
	if err != nil {
		return err
	}
	t.sampled = true
	t.chosen, t.total, err = t.in.pick(n, len(t.d.names))
	return err
}

// records counts the records without keeping any, and notes how many each chunk has. enough, if not nil, is asked after
// each chunk and ends the counting with its error.
func (t *textTable) records(ctx context.Context, m *meter, enough func(n int64) error) (total int64, err error) {
	c, _, err := t.chunks(ctx, m)
	if err != nil {
		return 0, err
	}
	t.perSeq = nil
	var buf []byte
	tail := int64(0) // rows of empty lines that nothing has followed yet
	for {
		k, err := c.next(buf)
		if err == io.EOF {
			return total - tail, nil
		}
		if err != nil {
			return 0, err
		}
		n := int64(0)
		for i := 0; i < len(k.data); {
			blank := isBlank(k.data, i, t.d.sep, t.d.eol)
			switch {
			case !blank:
				n++
				tail = 0
			case t.d.blankRows():
				n++
				tail++
			}
			i, _ = recordEnd(k.data, i, t.d.sep, t.d.eol, k.quotes && !blank)
		}
		t.perSeq = append(t.perSeq, n)
		total += n
		if enough != nil {
			if err := enough(total - tail); err != nil {
				return 0, err
			}
		}
		buf = k.data[:0]
	}
}

// parse reads all chunks; the blocks are kept in order.
func (t *textTable) parse(ctx context.Context) ([]dataset.Column, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	c, watch, err := t.chunks(ctx, t.meter)
	if err != nil {
		return nil, err
	}
	workers := runtime.GOMAXPROCS(0)
	if t.blocks = nil; t.spool != nil {
		if err := t.spool.begin(t.d.text, t.d.exact); err != nil {
			return nil, err
		}
	}
	p := &parsing{t: t, cancel: cancel, parser: parser{d: t.d, in: t.in},
		jobs: make(chan parseJob, workers), free: make(chan []byte, 2*workers+1)}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(p.work)
	}
	failed := p.feed(ctx, c, watch)
	close(p.jobs)
	wg.Wait()
	if t.spool != nil && t.spool.failed != nil {
		return nil, t.spool.failed
	}
	// The first ragged row in the file is named, whichever worker met one first.
	t.blocks = slices.DeleteFunc(t.blocks, func(b *block) bool { return b == nil })
	for _, b := range t.blocks {
		if b.err != nil {
			return nil, b.err
		}
	}
	if failed != nil {
		return nil, failed
	}
	return t.assemble(ctx)
}

// parseJob is a chunk of the table with the records that are wanted of it; nil: all.
type parseJob struct {
	chunk
	chosen []int64
}

// parsing is the pass that parses a table: one goroutine cuts the chunks, all cores parse them.
type parsing struct {
	parser
	t      *textTable
	cancel func()
	jobs   chan parseJob
	free   chan []byte // buffers of chunks that are parsed
	rows   atomic.Int64
	mu     sync.Mutex // guards t.blocks
}

// work parses chunks until there are no more; a ragged row ends the pass.
func (p *parsing) work() {
	for j := range p.jobs {
		b := p.parse(j.chunk, j.chosen)
		p.rows.Add(int64(b.rows))
		p.mu.Lock()
		for len(p.t.blocks) <= j.seq {
			p.t.blocks = append(p.t.blocks, nil)
		}
		p.t.blocks[j.seq] = b
		if b.err != nil || p.t.spool != nil && !p.t.spool.follow(p.t.blocks) {
			p.cancel()
		}
		p.mu.Unlock()
		select {
		case p.free <- j.data[:0]:
		default:
		}
	}
}

// feed hands the chunks with records that are wanted to the workers, up to the end of the table or the first error.
func (p *parsing) feed(ctx context.Context, c *chunker, watch *bombWatch) error {
	first, given := int64(0), 0 // the number of the chunk's first record, and how many wanted ones came before
	for {
		var buf []byte
		select {
		case buf = <-p.free:
		default:
		}
		k, err := c.next(buf)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		j := parseJob{chunk: k}
		if p.t.sampled {
			if given == int(p.t.chosen.n) {
				return nil
			}
			if k.seq >= len(p.t.perSeq) {
				return p.t.in.problem("wait until it is complete and open it again", "changed while it was read")
			}
			from, to := p.t.chosen.places(first, int(p.t.perSeq[k.seq]))
			j.chosen = make([]int64, to-from)
			for i := range j.chosen {
				j.chosen[i] = p.t.chosen.row(from+i) - first
			}
			first += p.t.perSeq[k.seq]
			if given = to; to == from {
				continue
			}
		}
		select {
		case p.jobs <- j:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !p.t.sampled {
			if err := p.stillFits(ctx, watch, len(k.data)); err != nil {
				return err
			}
		}
	}
}

// stillFits refuses a table that turns out to be too large for the memory: the estimate from its beginning may have
// been far too low.
func (p *parsing) stillFits(ctx context.Context, watch *bombWatch, size int) error {
	if p.t.spool != nil {
		if watch.suspects(size) {
			return dataset.ErrWhole
		}
		return nil
	}
	fits := func(rows int64) error { return p.t.in.o.guard(p.t.in.path, rows, int64(len(p.t.d.names))) }
	if err := fits(p.rows.Load()); err != nil {
		return err
	}
	if !watch.suspects(size) {
		return nil
	}
	_, err := p.t.records(ctx, nil, fits)
	p.t.perSeq = nil
	return err
}
