package session

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"

	"blossom/model/base/matrix"
)

// Arrays are little-endian float32 of two dimensions, in row-major order, in NumPy's format 1.0, which every tool for
// numbers reads.

const npyMagic = "\x93NUMPY\x01\x00"

var errArray = errors.New("no array of float32")

// npy returns an array as a file.
func npy(m matrix.Matrix32) []byte {
	head := fmt.Sprintf("{'descr': '<f4', 'fortran_order': False, 'shape': (%d, %d), }", m.Rows, m.Cols)
	size := len(npyMagic) + 2 + len(head) + 1
	head += strings.Repeat(" ", (64-size%64)%64) + "\n"
	out := make([]byte, 0, len(npyMagic)+2+len(head)+4*len(m.Data))
	out = append(out, npyMagic...)
	out = binary.LittleEndian.AppendUint16(out, uint16(len(head)))
	out = append(out, head...)
	for _, v := range m.Data {
		out = binary.LittleEndian.AppendUint32(out, math.Float32bits(v))
	}
	return out
}

// readNPY reads what npy has written.
func readNPY(b []byte) (m matrix.Matrix32, err error) {
	b, ok := bytes.CutPrefix(b, []byte(npyMagic))
	if !ok || len(b) < 2 {
		return m, errArray
	}
	n := 2 + int(binary.LittleEndian.Uint16(b))
	if len(b) < n {
		return m, errArray
	}
	head := string(b[2:n])
	at := strings.Index(head, "(")
	if at < 0 || !strings.Contains(head, "'<f4'") || strings.Contains(head, "True") {
		return m, errArray
	}
	var rows, cols int
	if _, err := fmt.Sscanf(head[at:], "(%d, %d)", &rows, &cols); err != nil {
		return m, errArray
	}
	b = b[n:]
	if rows < 0 || cols < 0 || cols > 0 && rows > len(b)/4/cols || 4*rows*cols != len(b) {
		return m, errArray
	}
	m = matrix.New(rows, cols)
	for i := range m.Data {
		m.Data[i] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return m, nil
}
