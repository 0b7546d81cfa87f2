// Command pack makes what releases consist of, the same bytes every time: files in the order of their names, owned by
// root, with one time and the plain modes.
//
//	pack icon OUT.ico            the program's icon for Windows, or OUT.png SIZE
//	pack OUT.zip DIR             or .tar.gz, or .deb of a folder with DEBIAN/control
//
// The time is SOURCE_DATE_EPOCH, in seconds since 1970, else 1980.
package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"blossom/assets/icon"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) >= 2 && args[0] == "icon" {
		return drawIcon(args[1], args[2:])
	}
	if len(args) != 2 {
		return fmt.Errorf("usage: pack OUT DIR, or pack icon OUT [SIZE]")
	}
	out, dir := args[0], args[1]
	files, err := list(dir)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	switch at := moment(); {
	case strings.HasSuffix(out, ".zip"):
		err = writeZip(&b, files, at)
	case strings.HasSuffix(out, ".tar.gz"):
		err = writeTar(&b, files, at)
	case strings.HasSuffix(out, ".deb"):
		err = writeDeb(&b, files, at)
	default:
		err = fmt.Errorf("%s is no .zip, .tar.gz or .deb", out)
	}
	if err != nil {
		return err
	}
	return os.WriteFile(out, b.Bytes(), 0o644)
}

// moment is the time of everything in a package. A zip knows none before 1980.
func moment() time.Time {
	first := time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)
	if s, err := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64); err == nil && s > first.Unix() {
		return time.Unix(s, 0).UTC()
	}
	return first
}

// drawIcon writes the icon as one picture, or as those that Windows wants.
func drawIcon(out string, size []string) error {
	sizes := []int{16, 24, 32, 48, 64, 128, 256}
	one := filepath.Ext(out) == ".png"
	if one {
		n, err := strconv.Atoi(strings.Join(size, " "))
		if err != nil {
			return err
		}
		sizes = []int{n}
	}
	var pictures [][]byte
	for _, n := range sizes {
		var b bytes.Buffer
		if err := png.Encode(&b, icon.Blossom(n)); err != nil {
			return err
		}
		pictures = append(pictures, b.Bytes())
	}
	if one {
		return os.WriteFile(out, pictures[0], 0o644)
	}
	ico := binary.LittleEndian.AppendUint16([]byte{0, 0, 1, 0}, uint16(len(sizes)))
	at := len(ico) + 16*len(sizes)
	for i, n := range sizes {
		ico = append(ico, byte(n), byte(n), 0, 0, 1, 0, 32, 0) // 256 is written as 0
		ico = binary.LittleEndian.AppendUint32(ico, uint32(len(pictures[i])))
		ico = binary.LittleEndian.AppendUint32(ico, uint32(at))
		at += len(pictures[i])
	}
	return os.WriteFile(out, append(ico, bytes.Join(pictures, nil)...), 0o644)
}
