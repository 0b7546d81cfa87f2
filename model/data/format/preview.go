package format

import (
	"context"
	"io"
	"strconv"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// Preview is how the beginning of a text table is read.
type Preview struct {
	Lines     []string // the first lines as they are
	Separator string   // the separator found or given
	Decimal   string   // the mark of most columns with one
	Header    string   // "yes" or "no": whether the first row names the columns
	Columns   []PreviewColumn
	Rows      int      // how many rows were looked at
	Doubts    []string // guesses that could be otherwise
}

// PreviewColumn is a column of the beginning.
type PreviewColumn struct {
	Name    string
	Label   bool // read as labels
	Guess   bool // whether it would be without what was asked for
	Cells   []PreviewCell
	Missing int    // cells without a value
	Odd     int    // cells of a column of numbers that are none
	Example string // the first of them
}

// PreviewCell is a cell as it is read.
type PreviewCell struct {
	Text    string // a number in plain digits, else the cell as written
	Missing bool
	Odd     bool
}

const (
	previewBytes = 256 << 10
	previewLines = 4
	previewCells = 6 // cells that are kept of a column
)

// LooksLikeText says whether the file at path is one that a Reading changes.
func LooksLikeText(path string) bool {
	if _, err := statRegular(path); err != nil {
		return false
	}
	head, err := readHead(path)
	if err != nil {
		return false
	}
	f, ok := Detect(head, extension(path))
	return ok && isTextFormat(f.Name)
}

// ReadPreview looks at the beginning of the text table at path, up to 256 KiB. The error is ctx's or a Problem.
func ReadPreview(ctx context.Context, path string, r Reading) (*Preview, error) {
	if err := CheckReading(r); err != nil {
		return nil, err
	}
	if _, err := statRegular(path); err != nil {
		return nil, err
	}
	in, err := openInput(path, Options{Reading: r})
	if err != nil {
		return nil, err
	}
	defer in.close()
	text, err := textReader(&countedReader{r: in.r, size: in.size, ctx: ctx})
	if err != nil {
		return nil, fileProblem(err, path)
	}
	head, err := io.ReadAll(io.LimitReader(text, previewBytes))
	if err != nil && len(head) == 0 {
		return nil, fileProblem(err, path)
	}
	if !isText(head) {
		return nil, in.problem("open it as it is", "is no text")
	}
	d, _, err := sniffDialect(head, len(head) < previewBytes, extension(path), r)
	if err != nil {
		return nil, problem.New(path, problem.As(err).Remedy, "%s", problem.As(err).What)
	}
	return d.preview(head, len(head) < previewBytes, r)
}

func (d *dialect) preview(head []byte, whole bool, r Reading) (*Preview, error) {
	p := &Preview{Separator: string(rune(d.sep)), Decimal: ".", Header: "no", Doubts: d.doubts}
	if d.header {
		p.Header = "yes"
	}
	for i := 0; i < len(head) && len(p.Lines) < previewLines; {
		end, _ := recordEnd(head, i, d.sep, d.eol, false)
		p.Lines = append(p.Lines, decodeText(trimCell(head[i:end])))
		i = end
	}
	names := append([]string(nil), d.names...)
	uniqueNames(names)
	free := *d
	plain := r
	plain.Number, plain.Label = nil, nil
	records := d.records(head, whole)
	if err := free.kinds(records, len(d.names), plain); err != nil {
		return nil, err
	}
	p.Rows = len(records)
	commas := 0
	for j, name := range names {
		c := PreviewColumn{Name: name, Label: d.text[j], Guess: free.text[j]}
		if d.tallies != nil && j < len(d.tallies) && d.marks[j] == ',' {
			commas++
		}
		for _, rec := range records {
			if j >= len(rec.cells) {
				continue
			}
			cell := d.previewCell(j, rec.cells[j])
			switch {
			case cell.Missing:
				c.Missing++
			case cell.Odd:
				if c.Odd++; c.Odd == 1 {
					c.Example = cell.Text
				}
			}
			if len(c.Cells) < previewCells {
				c.Cells = append(c.Cells, cell)
			}
		}
		p.Columns = append(p.Columns, c)
	}
	if 2*commas > len(names) {
		p.Decimal = ","
	}
	return p, nil
}

func (d *dialect) previewCell(j int, cell []byte) PreviewCell {
	f, shown := d.form(j), shownCell(cell)
	if d.text[j] {
		return PreviewCell{Text: shown, Missing: f.absent(trimCell(cell))}
	}
	switch kind, n := f.read(cell); kind {
	case cellMissing:
		return PreviewCell{Text: shown, Missing: true}
	case cellText:
		return PreviewCell{Text: shown, Odd: true}
	default:
		return PreviewCell{Text: strconv.FormatFloat(float64(n.value), 'g', -1, 32)}
	}
}

// NamesText says whether files of the format of a name are texts.
func NamesText(name string) bool { return isTextFormat(name) }

// isTextFormat says whether a Reading changes how files of a format are read.
func isTextFormat(name string) bool {
	f, ok := byName(name)
	return ok && f.Text
}

// IsText says whether a table was read from text.
func IsText(ds *dataset.Dataset) bool { return isTextFormat(ds.Format) }
