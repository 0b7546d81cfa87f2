package enginetest

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/maps/embedsom"
)

// oracle compares with stored exact answers, made by another program, where they are at hand.
func oracle(s *suite) {
	for _, o := range OracleCases(s.T) {
		n := few(o.X.Rows)
		o.X, o.Want = rows(o.X, 0, n), rows(o.Want, 0, n)
		s.judge(o.Case, s.embed(o.Case), o.Want)
	}
}

// Oracle is a case with its exact answer.
type Oracle struct {
	Case
	Want matrix.Matrix32
}

// OracleCases reads the folder that BLOSSOM_ORACLE names, or skips the test.
func OracleCases(t testing.TB) []Oracle {
	dir := os.Getenv("BLOSSOM_ORACLE")
	if dir == "" {
		t.Skip("BLOSSOM_ORACLE does not name a folder of exact answers; the other tests compare with the built-in " +
			"reference")
	}
	files, err := filepath.Glob(filepath.Join(dir, "*", "case.json"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no case in BLOSSOM_ORACLE=%s (%v)", dir, err)
	}
	var list []Oracle
	for _, f := range files {
		var c struct {
			K             int
			Boost, Adjust float32
		}
		text, err := os.ReadFile(f)
		if err == nil {
			err = json.Unmarshal(text, &c)
		}
		at := filepath.Dir(f)
		load := func(name string) (m matrix.Matrix32) {
			if err == nil {
				m, err = readNPY(filepath.Join(at, name))
			}
			return m
		}
		o := Oracle{Case{filepath.Base(at), load("points.npy"), load("landmarks_hd.npy"), load("landmarks_ld.npy"),
			embedsom.Params{K: c.K, Boost: c.Boost, Adjust: c.Adjust}}, load("embedding.npy")}
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, o)
	}
	return list
}

// readNPY reads what the oracle holds: version 1, little-endian float32, rows first.
func readNPY(path string) (matrix.Matrix32, error) {
	var m matrix.Matrix32
	b, err := os.ReadFile(path)
	if err != nil {
		return m, err
	}
	if len(b) < 10 || !bytes.HasPrefix(b, []byte("\x93NUMPY\x01\x00")) {
		return m, fmt.Errorf("%s: not an NPY file of version 1", path)
	}
	end := 10 + int(binary.LittleEndian.Uint16(b[8:]))
	header := string(b[10:min(end, len(b))])
	_, shape, _ := strings.Cut(header, "'shape': ")
	if !strings.Contains(header, "'<f4'") || !strings.Contains(header, "'fortran_order': False") {
		return m, fmt.Errorf("%s: not float32 by rows", path)
	}
	if _, err := fmt.Sscanf(shape, "(%d, %d)", &m.Rows, &m.Cols); err != nil {
		return m, fmt.Errorf("%s: shape: %w", path, err)
	}
	m.Data = make([]float32, m.Rows*m.Cols)
	if err := binary.Read(bytes.NewReader(b[end:]), binary.LittleEndian, m.Data); err != nil && err != io.EOF {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}
