package format

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/data/dataset"
)

// writeFCS writes FCS 3.1: one data set, list mode, little endian float32, or float64 where one of the columns
// has such, raw values as they are in the table, with $PnN, $PnS, $PnR, $PnG, the spillover matrix and the other
// keywords that the dataset brought along.
func writeFCS(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	text := fcsTextOf(ds)
	const begin = 58
	dataBegin := int64(begin + len(text))
	rowBytes := int64(valueBytes(ds) * len(ds.Columns))
	dataEnd := dataBegin + rowBytes*int64(ds.Points) - 1
	if ds.Points == 0 || rowBytes == 0 {
		dataBegin, dataEnd = 0, 0
	}
	setOffset(text, "$BEGINDATA", dataBegin)
	setOffset(text, "$ENDDATA", dataEnd)
	const most = 99_999_999 // largest offset that the header holds; beyond it TEXT alone says where the data are
	if int64(begin+len(text)) > most {
		return fmt.Errorf("the keywords take %d bytes, more than an FCS file can hold", len(text))
	}
	headBegin, headEnd := dataBegin, dataEnd
	if dataEnd > most {
		headBegin, headEnd = 0, 0
	}
	header := fmt.Sprintf("FCS3.1    %8d%8d%8d%8d%8d%8d", begin, begin+len(text)-1, headBegin, headEnd, 0, 0)
	if _, err := io.WriteString(w, header); err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := writeRows(ctx, w, ds, progress); err != nil {
		return err
	}
	_, err := io.WriteString(w, "00000000") // no checksum
	return err
}

// valueBytes is the size of the numbers that hold all values of ds.
func valueBytes(ds *dataset.Dataset) int {
	if slices.ContainsFunc(ds.Columns, func(c dataset.Column) bool { return c.Exact != nil }) {
		return 8
	}
	return 4
}

// writeRows writes all values as numbers of valueBytes, little endian, row by row; labels as their LabelNumbers.
func writeRows(ctx context.Context, w io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	width := valueBytes(ds)
	rowBytes := width * len(ds.Columns)
	if rowBytes == 0 {
		return nil
	}
	numbers := make([][]float32, len(ds.Columns))
	for j := range ds.Columns {
		if ds.Columns[j].Categories != nil {
			numbers[j] = ds.Columns[j].LabelNumbers()
		}
	}
	perBlock := max(1, blockSize/rowBytes)
	buf := make([]byte, min(perBlock, ds.Points)*rowBytes)
	for from := 0; from < ds.Points; from += perBlock {
		if err := ctx.Err(); err != nil {
			return err
		}
		to := min(ds.Points, from+perBlock)
		for j := range ds.Columns {
			at := width * j
			c := &ds.Columns[j]
			for i := from; i < to; i++ {
				if v := c.NumberOf(i, numbers[j]); width == 8 {
					binary.LittleEndian.PutUint64(buf[at:], math.Float64bits(v))
				} else {
					binary.LittleEndian.PutUint32(buf[at:], math.Float32bits(float32(v)))
				}
				at += rowBytes
			}
		}
		if _, err := w.Write(buf[:(to-from)*rowBytes]); err != nil {
			return err
		}
		progress(int64(to)*int64(rowBytes), int64(ds.Points)*int64(rowBytes))
	}
	return nil
}

// offsetDigits is the room for an offset in TEXT, so that its length does not depend on the offset.
const offsetDigits = 20

func setOffset(text []byte, keyword string, value int64) {
	d := text[0]
	key := append(append([]byte{d}, keyword...), d)
	if at := bytes.Index(text, key); at >= 0 {
		copy(text[at+len(key):], fmt.Sprintf("%0*d", offsetDigits, value))
	}
}

// ownKeyword matches the keywords that the writer makes itself, which are not carried over, and those of columns, which
// carryColumns is for.
var ownKeyword = pattern.Of(
	`^(\$(BEGIN|END)(DATA|ANALYSIS|STEXT)|\$BYTEORD|\$DATATYPE|\$MODE|\$NEXTDATA|\$PAR|\$TOT|\$UNICODE` +
		`|\$P\d+[A-Z]+|\$SPILLOVER|\$?SPILL|SPILLOVER|\$?COMP|\$DFC\d+TO\d+|FCS VERSION|BLOSSOM .*|P\d+[A-Z]+)$`)

// fcsTextOf makes the TEXT segment, with zeros where the offsets go.
func fcsTextOf(ds *dataset.Dataset) []byte {
	var pairs [][2]string
	add := func(k, v string) {
		if v == "" {
			v = " " // no value may be empty
		}
		pairs = append(pairs, [2]string{k, v})
	}
	zeros := strings.Repeat("0", offsetDigits)
	for _, k := range []string{"$BEGINANALYSIS", "$ENDANALYSIS", "$BEGINSTEXT", "$ENDSTEXT"} {
		add(k, "0")
	}
	add("$BEGINDATA", zeros)
	add("$ENDDATA", zeros)
	add("$BYTEORD", "1,2,3,4")
	add("$DATATYPE", map[int]string{4: "F", 8: "D"}[valueBytes(ds)])
	add("$MODE", "L")
	add("$NEXTDATA", "0")
	add("$PAR", strconv.Itoa(len(ds.Columns)))
	add("$TOT", strconv.Itoa(ds.Points))
	names := make([]string, len(ds.Columns))
	for i := range ds.Columns {
		names[i] = nameInFCS(ds.Columns[i].Name)
		describeColumn(add, i, &ds.Columns[i], names[i], 8*valueBytes(ds))
	}
	if ds.Spillover != nil {
		add("$SPILLOVER", spilloverText(ds, names))
	}
	carryColumns(add, ds)
	for _, k := range sortedKeys(ds.Metadata) {
		if k != "" && !ownKeyword().MatchString(strings.ToUpper(k)) {
			add(k, ds.Metadata[k])
		}
	}
	return joinFCSText(pairs)
}

// describeColumn adds the keywords of column i, counted from 0, whose values are numbers of so many bits.
func describeColumn(add func(k, v string), i int, c *dataset.Column, name string, bits int) {
	key := func(suffix string) string { return "$P" + strconv.Itoa(i+1) + suffix }
	add(key("N"), name)
	label := c.Label
	if label == "" && name != c.Name {
		label = c.Name
	}
	if label != "" {
		add(key("S"), label)
	}
	add(key("B"), strconv.Itoa(bits))
	add(key("E"), "0,0")
	top := c.Range
	if c.Categories != nil {
		top = float64(slices.Max(append(c.LabelNumbers(), 0))) + 1
	}
	if top < c.Stats.Max && c.Log == nil && c.Categories == nil {
		top = math.Floor(c.Stats.Max) + 1
	}
	add(key("R"), strconv.FormatFloat(max(1, top), 'f', -1, 64))
	if c.Gain > 0 {
		add(key("G"), strconv.FormatFloat(c.Gain, 'g', -1, 64))
	}
	if c.Log != nil {
		add(amplificationKeyword(key), fmt.Sprintf("%g,%g", c.Log.Decades, c.Log.Offset))
	}
	if c.Categories != nil {
		add(labelsKeyword(i+1), labelsText(c))
	}
	if role := c.NotedRole(); role != "" {
		add(roleKeyword(i+1), role+","+name)
	}
}

func spilloverText(ds *dataset.Dataset, names []string) string {
	s := ds.Spillover
	words := []string{strconv.Itoa(len(s.Names))}
	for _, name := range s.Names {
		for i := range ds.Columns {
			if ds.Columns[i].Name == name {
				name = names[i]
				break
			}
		}
		words = append(words, nameInFCS(name))
	}
	for _, row := range s.M {
		for _, v := range row {
			words = append(words, strconv.FormatFloat(v, 'g', -1, 64))
		}
	}
	return strings.Join(words, ",")
}

// joinFCSText writes keywords and values with a delimiter that occurs in none of them, where there is
// one: not all readers know that a doubled delimiter stands for one.
func joinFCSText(pairs [][2]string) []byte {
	delimiter := "|"
	for _, d := range []string{"|", "\\", "/", "\x1e", "\x0c"} {
		free := true
		for _, p := range pairs {
			free = free && !strings.Contains(p[0], d) && !strings.Contains(p[1], d)
		}
		if free {
			delimiter = d
			break
		}
	}
	var b bytes.Buffer
	b.WriteString(delimiter)
	for _, p := range pairs {
		b.WriteString(strings.ReplaceAll(p[0], delimiter, "_") + delimiter)
		b.WriteString(strings.ReplaceAll(p[1], delimiter, delimiter+delimiter) + delimiter)
	}
	return b.Bytes()
}

// nameInFCS is the name of a column there, where lists of names are separated by commas.
func nameInFCS(name string) string { return strings.ReplaceAll(name, ",", "_") }

// namesChanged says which columns have another name in an FCS file.
func namesChanged(ds *dataset.Dataset) (said []string) {
	for i := range ds.Columns {
		name := ds.Columns[i].Name
		if is := nameInFCS(name); is != name && len(said) < mostNotes {
			said = append(said, fmt.Sprintf("column %q is called %q, as commas part the names of an FCS file",
				shortLabel(name), shortLabel(is)))
		}
	}
	return said
}
