package session

import (
	"archive/zip"
	"bytes"
	"io"
	"strings"
	"testing"
)

// file is one in a container.
type file struct {
	name    string
	content []byte
}

// edited returns a container in which change has been made to the files in it; nil takes a file out. Sums are right.
func edited(t testing.TB, text []byte, change func(name string, content []byte) []byte,
	more ...file) []byte {
	t.Helper()
	z, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	w := newWriter(&b)
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		content, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if content = change(f.Name, content); content != nil {
			w.add(f.Name, content, true)
		}
	}
	for _, f := range more {
		w.add(f.name, f.content, true)
	}
	if err := w.close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// replaced returns a container in which a text is another one, n times in each file or always.
func replaced(t testing.TB, text []byte, old, now string, n int) []byte {
	t.Helper()
	there := false
	out := edited(t, text, func(_ string, content []byte) []byte {
		there = there || bytes.Contains(content, []byte(old))
		return []byte(strings.Replace(string(content), old, now, n))
	})
	if !there {
		t.Fatalf("no file has %s", old)
	}
	return out
}

// content is a file of a container.
func content(t testing.TB, text []byte, name string) (out string) {
	t.Helper()
	edited(t, text, func(n string, content []byte) []byte {
		if n == name {
			out = string(content)
		}
		return content
	})
	return out
}

// with returns a container with another file.
func with(t testing.TB, text []byte, name string, content []byte) []byte {
	t.Helper()
	return edited(t, text, func(_ string, c []byte) []byte { return c }, file{name, content})
}

// flipped returns bytes of which one bit is another one.
func flipped(b []byte, at int) []byte {
	out := bytes.Clone(b)
	out[at] ^= 0x10
	return out
}
