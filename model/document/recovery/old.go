package recovery

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"blossom/model/document/session"
)

// Versions up to 0.2 kept the session of a window in a file named by the number of its process, and that of the
// window closed last as another. What they left is listed with the rest.
const (
	oldRunning = "running-"
	oldLast    = "last"
)

func (s *Store) olds(find finder) (out []Item) {
	found, _ := filepath.Glob(filepath.Join(s.dir, oldRunning+"*"+session.Extension)) // the pattern is a good one
	for _, path := range append(found, filepath.Join(s.dir, oldLast+session.Extension)) {
		if _, err := os.Stat(path); err != nil {
			continue
		}
		i := Item{ID: filepath.Base(path), Path: path, old: true, Held: writing(path)}
		if f, _, err := read(path); err == nil {
			i.fill(f, find)
		} else {
			i.At, i.Size = changed(path)
			i.Path, i.Name, i.Damage = "", "unknown", "it is damaged and cannot be read"
		}
		i.Closed, i.Changed = process(path) == 0, true
		out = append(out, i)
	}
	return out
}

// IsOld says whether path is a session that an older version left in the store, by a crash.
func (s *Store) IsOld(path string) bool { return filepath.Dir(path) == s.dir && process(path) != 0 }

// process is the number in the name of a file of an older version, or 0.
func process(path string) int {
	name, ok := strings.CutPrefix(filepath.Base(path), oldRunning)
	pid, err := strconv.Atoi(strings.TrimSuffix(name, session.Extension))
	if !ok || err != nil {
		return 0
	}
	return pid
}

// writing says whether the process that wrote a file of an older version still runs: one of that number that is
// blossom, and not younger than the file.
func writing(path string) bool {
	pid := process(path)
	if pid == 0 || pid == os.Getpid() {
		return false
	}
	at, _ := changed(path)
	return wrote(pid, at)
}
