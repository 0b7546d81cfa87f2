package scale

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"sync"

	"blossom/model/base/plain"
)

// sums are those of files that this process has read, so that nothing is read twice which has not been written since.
// The zero sums has none.
type sums struct {
	lock  sync.Mutex
	known map[string]sum
}

type sum struct {
	of  os.FileInfo
	hex string // SHA-256
}

// hash is the SHA-256 of a file, hexadecimal, and its size. The error is a Problem, or ctx's.
func (s *sums) hash(ctx context.Context, path string) (text string, size int64, err error) {
	f, err := plain.Open(path)
	if err != nil {
		return "", 0, err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return "", 0, plain.Problem(err, path)
	}
	s.lock.Lock()
	had, ok := s.known[path]
	s.lock.Unlock()
	if ok && os.SameFile(had.of, st) && had.of.Size() == st.Size() && had.of.ModTime().Equal(st.ModTime()) {
		return had.hex, st.Size(), nil
	}
	h := sha256.New()
	if size, err = io.Copy(h, reader{ctx, f}); err != nil {
		return "", 0, plain.Problem(err, path)
	}
	text = hex.EncodeToString(h.Sum(nil))
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.known == nil {
		s.known = map[string]sum{}
	}
	if size == st.Size() {
		s.known[path] = sum{st, text}
	}
	return text, size, nil
}

// reader ends with ctx.
type reader struct {
	ctx context.Context
	of  io.Reader
}

func (r reader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.of.Read(p)
}
