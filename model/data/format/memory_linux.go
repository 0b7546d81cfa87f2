package format

import (
	"io/fs"
	"math"
	"os"
	"path"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// AvailableMemory returns how many bytes can be taken now without swapping: what the kernel has to
// spare, or less where a control group (a container, a batch job) or the shell (ulimit -v, -d) sets a limit.
func AvailableMemory() int64 { return min(availableLinux(os.DirFS("/")), leftOfLimits()) }

// moreMemory is the remedy where not even one row fits.
func moreMemory() string {
	if leftOfLimits() < availableLinux(os.DirFS("/")) {
		return "raise the limit of memory (ulimit -v or -d)"
	}
	return machineMemory
}

// leftOfLimits is what the shell's limits of memory leave.
func leftOfLimits() int64 {
	free := int64(math.MaxInt64)
	for limit, taken := range map[int]string{unix.RLIMIT_AS: "VmSize:", unix.RLIMIT_DATA: "VmData:"} {
		var most unix.Rlimit
		if unix.Getrlimit(limit, &most) == nil && most.Cur <= math.MaxInt64 {
			kb, _ := field(os.DirFS("/"), "proc/self/status", taken)
			free = min(free, max(0, int64(most.Cur)-kb<<10))
		}
	}
	return free
}

func availableLinux(root fs.FS) int64 {
	free := int64(fallbackMemory)
	if kb, ok := field(root, "proc/meminfo", "MemAvailable:"); ok {
		free = kb << 10
	}
	groups, _ := fs.ReadFile(root, "proc/self/cgroup")
	for line := range strings.Lines(string(groups)) {
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(parts) != 3 {
			continue
		}
		top, limit, used, cache := "sys/fs/cgroup", "memory.max", "memory.current",
			[]string{"inactive_file", "active_file"}
		if parts[0] != "0" {
			if !strings.Contains(","+parts[1]+",", ",memory,") {
				continue
			}
			top, limit, used = "sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes"
			cache = []string{"total_inactive_file", "total_active_file"}
		}
		// A limit anywhere above counts. Inside a container the group's path may not be visible:
		// the top folder then is the group itself.
		for dir := strings.Trim(path.Clean("/"+parts[2]), "/"); ; dir = strings.Trim(path.Dir("/"+dir), "/") {
			folder := path.Join(top, dir)
			most, ok1 := wholeNumber(root, path.Join(folder, limit))
			now, ok2 := wholeNumber(root, path.Join(folder, used))
			if ok1 && ok2 {
				for _, key := range cache { // the kernel drops the cache of files when memory is asked for
					n, _ := field(root, path.Join(folder, "memory.stat"), key)
					now -= n
				}
				free = min(free, max(0, most-max(0, now)))
			}
			if dir == "" {
				break
			}
		}
	}
	return free
}

// wholeNumber reads a file that holds one number; "max" is no number.
func wholeNumber(root fs.FS, name string) (int64, bool) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	n, err := strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
	return n, err == nil
}

// field reads the number that follows key at the start of a line.
func field(root fs.FS, name, key string) (int64, bool) {
	b, err := fs.ReadFile(root, name)
	if err != nil {
		return 0, false
	}
	for line := range strings.Lines(string(b)) {
		words := strings.Fields(line)
		if len(words) >= 2 && words[0] == key {
			n, err := strconv.ParseInt(words[1], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}
