package parquet

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"hash/crc32"
	"io"
	"math"
	"math/bits"

	"github.com/klauspost/compress/zstd"

	"blossom/model/data/dataset"
	"blossom/model/data/encoding/frame"
)

// groupRows is how many rows a group has that is written.
const groupRows = 131072

// writer writes a table.
type writer struct {
	w      io.Writer
	at     int64
	zstd   *zstd.Encoder
	page   []byte
	packed []byte
	groups []wroteGroup
}

type wroteGroup struct {
	rows, bytes int64
	chunks      []wroteChunk
}

type wroteChunk struct {
	values, size, unpacked int64
	data, dictionary       int64 // dictionary: -1 where there is none
}

// Write writes a table: groups of 131,072 rows, numbers as float32 or, where the column has such, float64, in plain
// pages, where NaN is NaN; labels as a dictionary of texts, where no label is null. All is packed with zstd, and each
// page has a checksum. Columns are called by their headings, see dataset.Column.Heading; what else is known of them is
// a dataset.Note. The same table gives the same bytes. Progress counts rows.
func Write(ctx context.Context, to io.Writer, ds *dataset.Dataset, progress func(done, total int64)) error {
	z, err := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1), zstd.WithEncoderCRC(false))
	if err != nil {
		return err
	}
	defer z.Close()
	w := &writer{w: to, zstd: z}
	if err := w.write([]byte(Magic)); err != nil {
		return err
	}
	for from := 0; from < ds.Points; from += groupRows {
		n := min(groupRows, ds.Points-from)
		g := wroteGroup{rows: int64(n)}
		for i := range ds.Columns {
			if err := ctx.Err(); err != nil {
				return err
			}
			c := &ds.Columns[i]
			var chunk wroteChunk
			if c.Categories != nil {
				chunk, err = w.labels(c, from, n)
			} else {
				chunk, err = w.numbers(c, from, n)
			}
			if err != nil {
				return err
			}
			g.bytes += chunk.unpacked
			g.chunks = append(g.chunks, chunk)
		}
		w.groups = append(w.groups, g)
		progress(int64(from+n), int64(ds.Points))
	}
	foot := w.footer(ds)
	foot = binary.LittleEndian.AppendUint32(foot, uint32(len(foot)))
	return w.write(append(foot, Magic...))
}

func (w *writer) write(b []byte) error {
	_, err := w.w.Write(b)
	w.at += int64(len(b))
	return err
}

// numbers writes n values of a column of numbers.
func (w *writer) numbers(c *dataset.Column, from, n int) (wroteChunk, error) {
	w.page = w.page[:0]
	if c.Exact != nil {
		for _, x := range c.Exact[from : from+n] {
			w.page = binary.LittleEndian.AppendUint64(w.page, math.Float64bits(x))
		}
	} else {
		for _, x := range c.Values[from : from+n] {
			w.page = binary.LittleEndian.AppendUint32(w.page, math.Float32bits(x))
		}
	}
	chunk := wroteChunk{values: int64(n), dictionary: -1, data: w.at}
	err := w.paged(&chunk, pageData, n, encodingPlain)
	return chunk, err
}

// labels writes n values of a column of labels, with a dictionary of those that are among them.
func (w *writer) labels(c *dataset.Column, from, n int) (wroteChunk, error) {
	at := make([]int32, len(c.Categories))
	var used []int
	codes := make([]uint32, 0, n)
	there := make([]uint32, n)
	for i, v := range c.Values[from : from+n] {
		if v != v || v < 0 || int(v) >= len(at) {
			continue
		}
		k := int(v)
		if at[k] == 0 {
			used = append(used, k)
			at[k] = int32(len(used))
		}
		there[i] = 1
		codes = append(codes, uint32(at[k]-1))
	}
	chunk := wroteChunk{values: int64(n), dictionary: w.at}
	w.page = w.page[:0]
	for _, k := range used {
		w.page = binary.LittleEndian.AppendUint32(w.page, uint32(len(c.Categories[k])))
		w.page = append(w.page, c.Categories[k]...)
	}
	if err := w.paged(&chunk, pageNames, len(used), encodingPlain); err != nil {
		return chunk, err
	}
	chunk.data = w.at
	w.page = append(w.page[:0], 0, 0, 0, 0)
	w.page = appendHybrid(w.page, there, 1)
	binary.LittleEndian.PutUint32(w.page, uint32(len(w.page)-4))
	width := max(1, bits.Len(uint(max(0, len(used)-1))))
	w.page = appendHybrid(append(w.page, byte(width)), codes, width)
	err := w.paged(&chunk, pageData, n, encodingNames)
	return chunk, err
}

// paged writes the bytes of w.page as a page.
func (w *writer) paged(chunk *wroteChunk, kind int64, values int, encoding int64) error {
	w.packed = w.zstd.EncodeAll(w.page, w.packed[:0])
	var t thriftOut
	t.number(1, 5, kind)
	t.number(2, 5, int64(len(w.page)))
	t.number(3, 5, int64(len(w.packed)))
	t.number(4, 5, int64(int32(crc32.ChecksumIEEE(w.packed))))
	if kind == pageNames {
		t.begin(7)
	} else {
		t.begin(5)
	}
	t.number(1, 5, int64(values))
	t.number(2, 5, encoding)
	if kind == pageData {
		t.number(3, 5, encodingRuns)
		t.number(4, 5, encodingRuns)
	}
	t.end()
	head := t.done()
	chunk.size += int64(len(head) + len(w.packed))
	chunk.unpacked += int64(len(head) + len(w.page))
	if err := w.write(head); err != nil {
		return err
	}
	return w.write(w.packed)
}

// appendHybrid writes numbers of width bits: runs of one number, and groups of eight that are packed.
func appendHybrid(b []byte, numbers []uint32, width int) []byte {
	for i := 0; i < len(numbers); {
		same := 1
		for i+same < len(numbers) && numbers[i+same] == numbers[i] {
			same++
		}
		if same >= 8 || i+same == len(numbers) && same > 1 {
			b = binary.AppendUvarint(b, uint64(same)<<1)
			for k := range (width + 7) / 8 {
				b = append(b, byte(numbers[i]>>(8*k)))
			}
			i += same
			continue
		}
		// Groups go on until a run of one number begins with a group.
		end := i
		for end < len(numbers) {
			run := 0
			for end+run < len(numbers) && run < 8 && numbers[end+run] == numbers[end] {
				run++
			}
			if run == 8 && end > i {
				break
			}
			end += 8
		}
		b = binary.AppendUvarint(b, uint64((end-i)/8)<<1|1)
		held, has := uint64(0), 0
		for ; i < end; i++ {
			if i < len(numbers) {
				held |= uint64(numbers[i]) << has
			}
			for has += width; has >= 8; has -= 8 {
				b = append(b, byte(held))
				held >>= 8
			}
		}
		i = min(i, len(numbers))
	}
	return b
}

// footer is what a file says of itself.
func (w *writer) footer(ds *dataset.Dataset) []byte {
	var t thriftOut
	t.number(1, 5, 2)
	t.list(2, typeStruct, 1+len(ds.Columns))
	t.item()
	t.text(4, "schema")
	t.number(5, 5, int64(len(ds.Columns)))
	t.end()
	for i := range ds.Columns {
		c := &ds.Columns[i]
		t.item()
		t.number(1, 5, physical(c))
		if c.Categories != nil {
			t.number(3, 5, optional)
		} else {
			t.number(3, 5, required)
		}
		t.text(4, c.Heading())
		if c.Categories != nil {
			t.number(6, 5, 0) // UTF8
			t.begin(10)
			t.begin(1) // STRING
			t.end()
			t.end()
		}
		t.end()
	}
	t.number(3, 6, int64(ds.Points))
	t.list(4, typeStruct, len(w.groups))
	for _, g := range w.groups {
		t.item()
		t.list(1, typeStruct, len(g.chunks))
		for i := range g.chunks {
			t.item()
			t.chunk(&ds.Columns[i], &g.chunks[i])
		}
		t.number(2, 6, g.bytes)
		t.number(3, 6, g.rows)
		t.end()
	}
	if notes := notes(ds); len(notes) > 0 {
		t.list(5, typeStruct, len(notes))
		for _, n := range notes {
			t.item()
			t.text(1, n[0])
			t.text(2, n[1])
			t.end()
		}
	}
	t.text(6, "blossom")
	return t.done()
}

// NoteKey is the key of a dataset.Note among what a file notes of itself.
const NoteKey = "blossom"

// notes are keys and values of what a file notes of itself.
func notes(ds *dataset.Dataset) (notes [][2]string) {
	if text := pandas(ds); text != "" {
		notes = append(notes, [2]string{frame.PandasKey, text})
	}
	if text := dataset.NoteOf(ds).Text(); text != "" {
		notes = append(notes, [2]string{NoteKey, text})
	}
	return notes
}

// pandas notes the column that names the rows as pandas does, which has it as the index of the table; "" where none
// does. Arrow's libraries look for each column in the list of columns, by field_name.
func pandas(ds *dataset.Dataset) string {
	index := ds.IndexAt()
	if index < 0 {
		return ""
	}
	type column struct {
		Name     string  `json:"name"`
		Field    string  `json:"field_name"`
		Pandas   string  `json:"pandas_type"`
		Numpy    string  `json:"numpy_type"`
		Metadata *string `json:"metadata"`
	}
	var said struct {
		Index   []string `json:"index_columns"`
		Names   []string `json:"column_indexes"`
		Columns []column `json:"columns"`
		Version string   `json:"pandas_version"`
	}
	said.Index, said.Names, said.Version = []string{ds.Columns[index].Heading()}, []string{}, "1.4.0"
	for i := range ds.Columns {
		c := &ds.Columns[i]
		one := column{Name: c.Heading(), Field: c.Heading()}
		switch physical(c) {
		case kindBytes:
			one.Pandas, one.Numpy = "unicode", "object"
		case kindDouble:
			one.Pandas, one.Numpy = "float64", "float64"
		default:
			one.Pandas, one.Numpy = "float32", "float32"
		}
		said.Columns = append(said.Columns, one)
	}
	text, err := json.Marshal(said)
	if err != nil {
		return "" // texts are always JSON
	}
	return string(text)
}

func physical(c *dataset.Column) int64 {
	switch {
	case c.Categories != nil:
		return kindBytes
	case c.Exact != nil:
		return kindDouble
	}
	return kindFloat
}

// chunk writes what a footer says of a column of a group.
func (t *thriftOut) chunk(c *dataset.Column, k *wroteChunk) {
	t.number(2, 6, 0)
	t.begin(3)
	t.number(1, 5, physical(c))
	encodings := []int64{encodingPlain}
	if c.Categories != nil {
		encodings = []int64{encodingPlain, encodingRuns, encodingNames}
	}
	t.numbers(2, encodings)
	t.texts(3, c.Heading())
	t.number(4, 5, codecZstd)
	t.number(5, 6, k.values)
	t.number(6, 6, k.unpacked)
	t.number(7, 6, k.size)
	t.number(9, 6, k.data)
	if k.dictionary >= 0 {
		t.number(11, 6, k.dictionary)
	}
	t.end()
	t.end()
}
