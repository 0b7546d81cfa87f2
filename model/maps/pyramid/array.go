package pyramid

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Tiles are stored as arrays of NumPy, packed by gzip, which other programs read:
//
//	numpy.load(gzip.open("pyramid/256/00-00.npy.gz"))

// errDamaged is an array that is none, or not of the kind that was asked for.
var errDamaged = errors.New("it is damaged")

// header is what stands before an array of unsigned integers of so many bytes, in C order, version 1.0:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html.
func header(width, rows, cols int) []byte {
	dict := fmt.Sprintf("{'descr': '<u%d', 'fortran_order': False, 'shape': (%d, %d), }", width, rows, cols)
	pad := 63 - (10+len(dict))%64 // values begin at a multiple of 64
	length := len(dict) + pad + 1
	head := append([]byte("\x93NUMPY"), 1, 0, byte(length), byte(length>>8))
	return append(append(append(head, dict...), strings.Repeat(" ", pad)...), '\n')
}

// readHeader reads what header has written, of an array of so many columns.
func readHeader(r io.Reader, cols int) (width, rows int, err error) {
	head := make([]byte, 128)
	if _, err := io.ReadFull(r, head[:64]); err != nil {
		return 0, 0, errDamaged
	}
	size := 10 + int(binary.LittleEndian.Uint16(head[8:]))
	if size > len(head) || size < 64 {
		return 0, 0, errDamaged
	}
	if _, err := io.ReadFull(r, head[64:size]); err != nil {
		return 0, 0, errDamaged
	}
	var found int
	n, _ := fmt.Sscanf(string(head[10:size]), "{'descr': '<u%d', 'fortran_order': False, 'shape': (%d, %d), }", &width,
		&rows, &found)
	if n != 3 || found != cols || width != 4 && width != 8 || !bytes.Equal(head[:size], header(width, rows, cols)) {
		return 0, 0, errDamaged
	}
	return width, rows, nil
}

// packed writes an array, of which put writes the values.
func packed(w io.Writer, width, rows, cols int, put func(io.Writer) error) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestSpeed)
	if err != nil {
		return err
	}
	b := bufio.NewWriterSize(z, 1<<16)
	if _, err := b.Write(header(width, rows, cols)); err != nil {
		return err
	}
	if err := put(b); err != nil {
		return err
	}
	if err := b.Flush(); err != nil {
		return err
	}
	return z.Close()
}

// ended says whether there is nothing more, and what was there had the sum that it ends with.
func ended(in io.Reader) error {
	if n, err := in.Read(make([]byte, 1)); n != 0 || err != io.EOF {
		return errDamaged
	}
	return nil
}

// writeTile writes the counts of a tile, in rows from the least coordinates on.
func writeTile(w io.Writer, counts []uint64) error {
	width := 4
	for _, n := range counts {
		if n>>32 > 0 {
			width = 8
		}
	}
	return packed(w, width, TileSide, TileSide, func(w io.Writer) error {
		var b [8]byte
		for _, n := range counts {
			binary.LittleEndian.PutUint64(b[:], n)
			if _, err := w.Write(b[:width]); err != nil {
				return err
			}
		}
		return nil
	})
}

// readTile reads what writeTile has written.
func readTile(r io.Reader) ([]uint64, error) {
	z, err := gzip.NewReader(r)
	if err != nil {
		return nil, errDamaged
	}
	width, rows, err := readHeader(z, TileSide)
	if err != nil || rows != TileSide {
		return nil, errDamaged
	}
	raw := make([]byte, tileCells*width)
	if _, err := io.ReadFull(z, raw); err != nil {
		return nil, errDamaged
	}
	counts := make([]uint64, tileCells)
	for i := range counts {
		if width == 8 {
			counts[i] = binary.LittleEndian.Uint64(raw[8*i:])
		} else {
			counts[i] = uint64(binary.LittleEndian.Uint32(raw[4*i:]))
		}
	}
	return counts, ended(z)
}
