package format

import (
	"bytes"
	"context"
	"io"
	"slices"

	"blossom/model/data/dataset"
)

// textSpans finds where rows of a text begin, see Format.Spans: in one pass, as a line may end within quotes. What is
// packed or in UTF-16 can be read from its beginning alone, and in a table of one column an empty line is a row if
// another follows, which may be in another range.
func textSpans(ctx context.Context, path string, o Options, starts []int64) ([]Span, error) {
	o.Span, o.From, o.Count, o.MaxPoints = nil, 0, 0, 0
	in, err := openInput(path, o)
	if err != nil {
		return nil, err
	}
	defer in.close()
	head, err := in.bytes(0, min(in.size, 3))
	if err != nil {
		return nil, fileProblem(err, path)
	}
	for _, mark := range []string{"\x1f\x8b", "\xff\xfe", "\xfe\xff"} {
		if bytes.HasPrefix(head, []byte(mark)) {
			return nil, dataset.ErrWhole
		}
	}
	t := &textTable{in: in, spool: &spool{}} // values stay where they are: there is no need of memory for them
	if err := t.start(ctx, extension(path)); err != nil {
		return nil, fileProblem(err, path)
	}
	if t.d.blankRows() {
		return nil, dataset.ErrWhole
	}
	at := t.d.start
	if bytes.Equal(head, []byte("\xef\xbb\xbf")) {
		at += int64(len(head))
	}
	spans, err := t.spans(ctx, at, starts)
	if err != nil {
		return nil, fileProblem(err, path)
	}
	return spans, nil
}

// spans are those of ranges that begin with the rows of starts; the first record is at byte at.
func (t *textTable) spans(ctx context.Context, at int64, starts []int64) (spans []Span, err error) {
	c, _, err := t.chunks(ctx, newMeter(t.in.size, t.in.o.Progress))
	if err != nil {
		return nil, err
	}
	var buf []byte
	for row := int64(0); len(spans) < len(starts); {
		k, err := c.next(buf)
		if err == io.EOF {
			return nil, t.in.problem("wait until it is complete and plan again", "changed while it was read")
		}
		if err != nil {
			return nil, err
		}
		line := k.line
		for i := 0; i < len(k.data) && len(spans) < len(starts); {
			blank := isBlank(k.data, i, t.d.sep, t.d.eol)
			if !blank {
				if row == starts[len(spans)] {
					spans = append(spans, Span{From: at + int64(i), Line: line})
				}
				row++
			}
			end, _ := recordEnd(k.data, i, t.d.sep, t.d.eol, k.quotes && !blank)
			line += bytes.Count(k.data[i:end], []byte{t.d.eol})
			i = end
		}
		at += int64(len(k.data))
		buf = k.data[:0]
	}
	for i := range spans {
		if spans[i].To = t.in.size; i+1 < len(spans) {
			spans[i].To = spans[i+1].From
		}
	}
	return spans, nil
}

// asBegun refuses a range of rows in which a column that has numbers where the file begins has something else, as it is
// for the beginning to say what columns are: another range would not know.
func (t *textTable) asBegun(columns []dataset.Column) error {
	if t.in.o.Count == 0 || t.d.exact != nil {
		return nil
	}
	text, marks, firm, unsure := slices.Clone(t.d.text), slices.Clone(t.d.marks), slices.Clone(t.d.firm), t.d.unsure
	t.reconsider(columns)
	now, with := t.d.text, t.d.marks
	t.d.text, t.d.marks, t.d.firm, t.d.unsure = text, marks, firm, unsure
	for j := range columns {
		switch {
		case text[j]:
		case now[j]:
			return t.in.problem("say what it is (--number or --label), or "+partRemedy,
				"column %q has numbers where the file begins, and words in rows from %s on", t.d.names[j],
				thousands(t.in.o.From))
		case with[j] != marks[j]:
			return t.in.problem("say which decimal mark it has (--decimal), or "+partRemedy,
				"column %q has another decimal mark where the file begins than in rows from %s on", t.d.names[j],
				thousands(t.in.o.From))
		}
	}
	return nil
}
