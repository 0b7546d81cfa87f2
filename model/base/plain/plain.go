// Package plain opens files whose names come from other files: plain ones alone. A pipe, a device, or a file that the
// kernel makes up while it is read (/proc/kmsg) could be waited for for ever.
package plain

import (
	"io"
	"os"
	"path/filepath"
	"strings"

	"blossom/model/base/problem"
)

// madeUp are folders of files that are made up while they are read. Their modes say plain.
var madeUp = []string{"/proc/", "/sys/"}

// Check returns a Problem if path is there and is no plain file, and nil otherwise, also if there is nothing.
func Check(path string) error {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	wrong := !info.Mode().IsRegular()
	if real, err := filepath.EvalSymlinks(path); err == nil && !wrong {
		if real, err = filepath.Abs(real); err == nil {
			for _, dir := range madeUp {
				wrong = wrong || strings.HasPrefix(real, dir)
			}
		}
	}
	if wrong {
		return problem.New(path, "name a plain file", "is no plain file")
	}
	return nil
}

// Open opens a plain file for reading. The error is a Problem.
func Open(path string) (*os.File, error) {
	if err := Check(path); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, Problem(err, path)
	}
	return f, nil
}

// ReadFile reads a plain file of at most so many bytes. The error is a Problem.
func ReadFile(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	larger := problem.New(path, "check that it is the right file", "is larger than %d MB", most>>20)
	if st, err := f.Stat(); err == nil && st.Size() > most {
		return nil, larger // before any of it is read
	}
	text, err := io.ReadAll(io.LimitReader(f, most+1))
	if err != nil {
		return nil, Problem(err, path)
	}
	if int64(len(text)) > most {
		return nil, larger
	}
	return text, nil
}

// Head reads the beginning of a plain file, at most so many bytes. The error is a Problem.
func Head(path string, most int64) ([]byte, error) {
	f, err := Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, most))
	if err != nil {
		return nil, Problem(err, path)
	}
	return text, nil
}
