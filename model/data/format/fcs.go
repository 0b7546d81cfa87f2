package format

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"

	"blossom/model/base/problem"
	"blossom/model/data/dataset"
)

// The Flow Cytometry Standard, versions 2.0 to 3.2: "Data File Standard for Flow Cytometry, Version
// FCS 3.1", ISAC (2010), and the changes of FCS 3.2 (Cytometry A 99, 2021).
func init() {
	Register(Format{
		Name:       "fcs",
		Parts:      true,
		Cells:      true,
		Title:      "Flow cytometry standard (FCS)",
		Extensions: []string{".fcs", ".lmd"},
		Sniff: func(head []byte, ext string) int {
			switch {
			case len(head) >= 6 && bytes.HasPrefix(head, []byte("FCS")) && isDigit(head[3]) && head[4] == '.':
				return 100
			case ext == ".fcs" || ext == ".lmd":
				return 30 // to say what is wrong with it
			}
			return 0
		},
		Read:    reading(readFCS),
		Rows:    true,
		Outline: reading(outlineFCS),
		Write:   writeFCS,
		Loses:   namesChanged,
		// FlowJo's linear axis begins at 0.
		Channels: true,
	})
}

const exportAgain = "export it again from the instrument's software as FCS 3.1, list mode, float"

// readFCS reads the data set in.o.Part of the file. Values are raw: neither compensated nor put on
// another scale; what the file says of scales is in the columns' Log, Gain and Range.
func readFCS(ctx context.Context, in *input) (*dataset.Dataset, error) {
	part, t, columns, rows, err := fcsTable(ctx, in)
	if err != nil {
		return nil, err
	}
	warn := part.warnings
	chosen, n, err := in.rows(rows, len(columns))
	if err != nil {
		return nil, err
	}
	values := make([][]float32, len(columns))
	for i := range columns {
		values[i] = make([]float32, n)
		columns[i].Values = values[i]
	}
	tallies, err := t.read(ctx, chosen, values, newMeter(t.cost(chosen, n), in.o.Progress))
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	if err := t.readExact(ctx, in, chosen, columns, tallies); err != nil {
		return nil, fileProblem(err, in.path)
	}
	warn = append(warn, tallyWarnings(columns, tallies)...)
	if rows == 0 {
		warn = append(warn, "the file holds no events")
	}
	spill := part.spillover(columns, &warn)
	restoreLabels(columns, part.text)
	ds, err := in.finish(ctx, columns, rows, warn)
	if err != nil {
		return nil, err
	}
	part.describe(ds, spill)
	return ds, nil
}

// fcsTable finds the wanted data set, with the warnings that there are of it, and where its values lie. The columns
// have none yet.
func fcsTable(ctx context.Context, in *input) (part *fcsPart, t table, columns []dataset.Column, rows int64,
	err error) {
	part, parts, err := findFCSPart(ctx, in)
	if err != nil {
		return nil, t, nil, 0, err
	}
	if parts > 1 {
		part.warnings = append(part.warnings, fmt.Sprintf("the file holds %d data sets, this is number %d", parts,
			in.o.Part+1))
	}
	cols, err := part.columns(in, &part.warnings)
	if err != nil {
		return nil, t, nil, 0, err
	}
	t = table{src: fileSource{in.r}, values: make([]value, len(cols))}
	for i := range cols {
		cols[i].value.off = t.stride
		t.stride += len(cols[i].value.order)
		t.values[i] = cols[i].value
		columns = append(columns, cols[i].Column)
	}
	place, err := part.placeData(in, int64(t.stride), &part.warnings)
	if err != nil {
		return nil, t, nil, 0, err
	}
	from, count, err := in.taken(place.rows)
	t.base = part.base + place.begin + from*int64(t.stride)
	return part, t, columns, count, err
}

// describe gives a table what the file says of it besides its columns.
func (p *fcsPart) describe(ds *dataset.Dataset, spill *dataset.Spillover) {
	restoreRoles(ds.Columns, p.text)
	ds.Metadata = p.text.metadata()
	ds.Metadata["FCS version"] = p.version
	ds.Spillover = spill
}

// outlineFCS reads all of a data set but its values, unless some of them are labels. What is wrong with a file is said
// where it is read as a whole.
func outlineFCS(ctx context.Context, in *input) (*dataset.Dataset, error) {
	part, t, columns, rows, err := fcsTable(ctx, in)
	if err != nil {
		return nil, dataset.ErrWhole
	}
	for i := range columns {
		if names, _ := namedLabels(part.text, i+1); len(names) > 0 {
			return nil, dataset.ErrWhole
		}
	}
	var spill *dataset.Spillover
	ds, err := in.outline(ctx, t, columns, rows, func(tallies []tally) []string {
		warn := append(part.warnings, tallyWarnings(columns, tallies)...)
		spill = part.spillover(columns, &warn)
		return warn
	})
	if err != nil {
		return nil, err
	}
	part.describe(ds, spill)
	return ds, nil
}

// fcsPart is one data set of an FCS file: its HEADER and TEXT.
type fcsPart struct {
	base     int64 // where it begins in the file; its own offsets count from here
	version  string
	header   fcsHeader
	text     *fcsText
	warnings []string

	vague string // why the columns may be others than $PAR says, "" if they may not
}

// segment is the first and last byte of a segment; both 0 where there is none.
type segment struct{ begin, end int64 }

func (s segment) length() int64 { return s.end - s.begin + 1 }

// fcsHeader is what the first 58 bytes say.
type fcsHeader struct{ text, data segment }

// maxParts is how many data sets a file may chain: a loop in the chain ends there.
const maxParts = 10_000

// findFCSPart follows the chain of data sets to the wanted one, and counts them.
func findFCSPart(ctx context.Context, in *input) (wanted *fcsPart, parts int, err error) {
	var base int64
	for {
		if err := ctx.Err(); err != nil {
			return nil, 0, err
		}
		p, err := readFCSPart(in, base)
		if err != nil {
			if parts == 0 || parts <= in.o.Part {
				return nil, 0, err
			}
			wanted.warnings = append(wanted.warnings, fmt.Sprintf("the data set after number %d cannot be read (%s)",
				parts, problem.As(err).What))
			return wanted, parts, nil
		}
		if parts == in.o.Part {
			wanted = p
		}
		parts++
		next, _ := p.text.integer("$NEXTDATA")
		if base = in.nextPart(base, next); base == 0 && next > 0 && wanted != nil {
			wanted.warnings = append(wanted.warnings, fmt.Sprintf("$NEXTDATA names another data set at byte %s, where "+
				"none begins: it may have been cut off", thousands(next)))
		}
		if base == 0 || parts >= maxParts {
			break
		}
	}
	if wanted == nil {
		return nil, 0, in.problem(fmt.Sprintf("choose one from 1 to %d", parts), "holds no data set number %d",
			in.o.Part+1)
	}
	return wanted, parts, nil
}

// nextPart returns where the next data set begins, or 0. $NEXTDATA counts from the beginning of its
// own data set; some writers count from the beginning of the file.
func (in *input) nextPart(base, next int64) int64 {
	if next <= 0 || next > in.size {
		return 0
	}
	for _, at := range []int64{base + next, next} {
		if at > base {
			if b, err := in.bytes(at, 4); err == nil && string(b[:3]) == "FCS" && isDigit(b[3]) {
				return at
			}
		}
	}
	return 0
}

// readFCSPart reads HEADER, TEXT and the supplemental TEXT of the data set at base.
func readFCSPart(in *input, base int64) (*fcsPart, error) {
	const headerSize = 58
	head, err := in.bytes(base, min(headerSize, in.size-base))
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	if !bytes.HasPrefix(head, []byte("FCS")) {
		return nil, in.problem(copyAgain, "is not an FCS file: it does not begin with FCS2.0, FCS3.0, FCS3.1 or FCS3.2")
	}
	if len(head) < headerSize {
		return nil, in.problem(copyAgain, "is cut within its header")
	}
	p := &fcsPart{base: base, version: strings.TrimSpace(string(head[3:6]))}
	switch p.version {
	case "2.0", "3.0", "3.1", "3.2":
	default:
		if !strings.HasPrefix(p.version, "3.") {
			return nil, in.problem(exportAgain, "is of FCS version %q; 2.0 to 3.2 can be read", p.version)
		}
		p.warnings = append(p.warnings, fmt.Sprintf("FCS version %s is not known here: read as 3.2", p.version))
	}
	var at [4]int64
	for i := range at {
		// A number that is missing or does not fit is 0: TEXT then says where the segment is.
		at[i], _ = strconv.ParseInt(strings.TrimSpace(string(head[10+8*i:18+8*i])), 10, 64)
	}
	p.header = fcsHeader{segment{at[0], at[1]}, segment{at[2], at[3]}}
	text := p.header.text
	if text.begin < headerSize || text.end <= text.begin {
		return nil, in.problem(copyAgain, "is damaged: its header says that TEXT lies in bytes %d to %d", text.begin,
			text.end)
	}
	if text.end >= in.size-base {
		return nil, in.problem(copyAgain, "is cut within TEXT (byte %d of %d)", in.size-base, text.end+1)
	}
	raw, err := in.bytes(base+text.begin, text.length())
	if err != nil {
		return nil, fileProblem(err, in.path)
	}
	p.text = parseFCSText(raw)
	p.supplement(in)
	p.warnings = append(p.warnings, p.text.warnings...)
	return p, nil
}

// supplement adds the keywords of the supplemental TEXT segment, where there is one.
func (p *fcsPart) supplement(in *input) {
	begin, _ := p.text.integer("$BEGINSTEXT")
	end, _ := p.text.integer("$ENDSTEXT")
	s := segment{begin, end}
	if begin <= 0 || end <= begin || s == p.header.text {
		return
	}
	if end >= in.size-p.base {
		p.warnings = append(p.warnings, "the supplemental TEXT lies beyond the end of the file and was left out")
		return
	}
	raw, err := in.bytes(p.base+begin, s.length())
	if err != nil {
		p.warnings = append(p.warnings, "the supplemental TEXT cannot be read and was left out")
		return
	}
	if raw[0] != p.text.delimiter {
		p.warnings = append(p.warnings, "the supplemental TEXT is not text and was left out")
		return
	}
	p.text.merge(parseFCSText(raw))
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }
