package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/md5"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// file is one of a package. Folders have no text.
type file struct {
	name   string // with slashes, below the folder
	text   []byte
	folder bool
	mode   int64
	link   string // of a symbolic link
}

// list reads a folder, in the order of names.
func list(dir string) (out []file, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		f := file{name: filepath.ToSlash(name), folder: d.IsDir(), mode: 0o644}
		info, err := d.Info()
		switch {
		case err != nil:
			return err
		case d.IsDir():
			f.mode = 0o755
		case info.Mode()&fs.ModeSymlink != 0:
			if f.link, err = os.Readlink(path); err != nil {
				return err
			}
			f.mode = 0o777
		default:
			if info.Mode()&0o100 != 0 {
				f.mode = 0o755
			}
			if f.text, err = os.ReadFile(path); err != nil {
				return err
			}
		}
		out = append(out, f)
		return nil
	})
	return out, err
}

func writeZip(to io.Writer, files []file, at time.Time) error {
	z := zip.NewWriter(to)
	for _, f := range files {
		if f.folder {
			continue
		}
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: at}
		h.SetMode(fs.FileMode(f.mode))
		w, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := w.Write(f.text); err != nil {
			return err
		}
	}
	return z.Close()
}

func writeTar(to io.Writer, files []file, at time.Time) error {
	packed, err := gzip.NewWriterLevel(to, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(packed)
	for _, f := range files {
		h := &tar.Header{Name: f.name, Mode: f.mode, Size: int64(len(f.text)), ModTime: at, Typeflag: tar.TypeReg,
			Uname: "root", Gname: "root", Format: tar.FormatGNU}
		switch {
		case f.folder:
			h.Name, h.Typeflag = f.name+"/", tar.TypeDir
		case f.link != "":
			h.Typeflag, h.Linkname = tar.TypeSymlink, f.link
		}
		if err := t.WriteHeader(h); err != nil {
			return err
		}
		if _, err := t.Write(f.text); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return packed.Close()
}

// writeDeb writes a package of Debian (deb(5)): what is in the folder DEBIAN, with the sums of the rest, and the rest.
func writeDeb(to io.Writer, files []file, at time.Time) error {
	var control, data []file
	var sums bytes.Buffer
	for _, f := range files {
		if name, ours := strings.CutPrefix(f.name, "DEBIAN/"); ours {
			f.name = "./" + name
			control = append(control, f)
			continue
		}
		if f.name == "DEBIAN" {
			continue
		}
		if !f.folder && f.link == "" {
			fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.text), f.name)
		}
		f.name = "./" + f.name
		data = append(data, f)
	}
	if len(control) == 0 {
		return fmt.Errorf("there is no DEBIAN/control")
	}
	control = append(control, file{name: "./md5sums", text: sums.Bytes(), mode: 0o644})
	var c, d bytes.Buffer
	if err := writeTar(&c, control, at); err != nil {
		return err
	}
	if err := writeTar(&d, data, at); err != nil {
		return err
	}
	if _, err := io.WriteString(to, "!<arch>\n"); err != nil {
		return err
	}
	for _, m := range []struct {
		name string
		text []byte
	}{{"debian-binary", []byte("2.0\n")}, {"control.tar.gz", c.Bytes()}, {"data.tar.gz", d.Bytes()}} {
		if _, err := fmt.Fprintf(to, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", m.name, at.Unix(), 0, 0, "100644",
			len(m.text)); err != nil {
			return err
		}
		if len(m.text)%2 == 1 {
			m.text = append(m.text, '\n')
		}
		if _, err := to.Write(m.text); err != nil {
			return err
		}
	}
	return nil
}
