package bench

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// assumedMemory is what a machine has that does not say.
const assumedMemory = 8 << 30

// freeMemory returns the bytes of memory that programs can still take, within the limit of a container.
func freeMemory() int64 {
	free := int64(assumedMemory)
	if v, ok := field("/proc/meminfo", "MemAvailable:"); ok {
		free = v << 10
	}
	limit, err1 := number("/sys/fs/cgroup/memory.max")
	used, err2 := number("/sys/fs/cgroup/memory.current")
	if err1 == nil && err2 == nil {
		cached, _ := field("/sys/fs/cgroup/memory.stat", "inactive_file") // given back when it is needed
		free = min(free, limit-used+cached)
	}
	return max(free, 0)
}

// fits refuses as a Usage error what takes more bytes than programs can still take.
func fits(need int64, what string, args ...any) error {
	if free := freeMemory(); need > free {
		return usage("measure less", what+" take %.1f GB of memory, and %.1f GB are free",
			append(args, float64(need)/1e9, float64(free)/1e9)...)
	}
	return nil
}

func number(path string) (int64, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
}

// field returns the number after a word at the beginning of a line.
func field(path, word string) (int64, bool) {
	f, err := os.Open(path)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if w := strings.Fields(s.Text()); len(w) > 1 && w[0] == word {
			v, err := strconv.ParseInt(w[1], 10, 64)
			return v, err == nil
		}
	}
	return 0, false
}
