package exchange

import (
	"bufio"
	"context"
	"io"
	"strconv"
	"strings"

	"blossom/model/base/matrix"
	"blossom/model/data/format"
)

func init() {
	files := func(path string) []string {
		stem := strings.TrimSuffix(strings.TrimSuffix(path, ".tsv"), "_hd")
		return []string{stem + "_hd.tsv", stem + "_2d.tsv"}
	}
	Register(Kind{ID: "blossom", Title: "BlosSOM, two files (.tsv)", Ending: ".tsv", Raw: true, Order: 6, Files: files,
		Help: "NAME_hd.tsv and NAME_2d.tsv without headers, as BlosSOM and R's EmbedSOM have them",
		Write: func(_ context.Context, path string, f *File) (written []string, err error) {
			for i, m := range []matrix.Matrix32{f.Set.Codebook, f.Set.Pos} {
				err := format.AtomicWrite(files(path)[i], func(w io.Writer) error { return rows(w, m) })
				if err != nil {
					return written, err
				}
				written = append(written, files(path)[i])
			}
			return written, nil
		}})
}

// rows writes a matrix without a header. Numbers are the shortest that read back to the same float32.
func rows(w io.Writer, m matrix.Matrix32) error {
	b := bufio.NewWriter(w)
	var text []byte
	for i := range m.Rows {
		text = text[:0]
		for j, x := range m.Row(i) {
			if j > 0 {
				text = append(text, '\t')
			}
			text = strconv.AppendFloat(text, float64(x), 'g', -1, 32)
		}
		if _, err := b.Write(append(text, '\n')); err != nil {
			return err
		}
	}
	return b.Flush()
}
