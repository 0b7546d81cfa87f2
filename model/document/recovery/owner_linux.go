package recovery

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// self describes this process.
func self() owner {
	host, _ := os.Hostname() // an unknown one is as good as another
	if id := line("/etc/machine-id"); id != "" {
		host += " " + id[:min(8, len(id))]
	}
	space, _ := os.Readlink("/proc/self/ns/pid")
	pid := os.Getpid()
	return owner{Host: host, Boot: line("/proc/sys/kernel/random/boot_id"), Space: space, Process: pid, Born: born(pid)}
}

// born is when a process began, in ticks since the start of the system, or "" if there is none of that number.
func born(pid int) string {
	stat := line(fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, ok := strings.Cut(stat[strings.LastIndexByte(stat, ')')+1:], " ") // names may have spaces
	if f := strings.Fields(rest); ok && len(f) > 19 && f[0] != "Z" {           // a zombie is dead
		return f[19]
	}
	return ""
}

// remote says whether a folder is on a file system of another machine.
func remote(dir string) bool {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return false
	}
	switch uint32(s.Type) {
	case 0x6969, 0xff534d42, 0xfe534d42, 0x517b, 0x5346414f, 0x01021997, 0x0bd00bd0, 0x47504653, 0x19830326,
		0x00c36400, 0x65735546: // NFS, CIFS, SMB 2, SMB, AFS, 9P, Lustre, GPFS, BeeGFS, Ceph, FUSE
		return true
	}
	return false
}

// line is the first line of a small file, or "".
func line(path string) string {
	text, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	first, _, _ := strings.Cut(string(text), "\n")
	return strings.TrimSpace(first)
}

// wrote says whether a process of that number is blossom and was there when a file was written. The start of a process
// is known to a hundredth of a second since that of the system.
func wrote(pid int, file time.Time) bool {
	ticks, err := strconv.ParseInt(born(pid), 10, 64)
	if err != nil || !strings.Contains(line(fmt.Sprintf("/proc/%d/comm", pid)), "blossom") {
		return false
	}
	up, err := strconv.ParseFloat(strings.Fields(line("/proc/uptime") + " ?")[0], 64)
	if err != nil {
		return true // to be on the safe side
	}
	age := time.Duration((up - float64(ticks)/100) * float64(time.Second))
	return time.Now().Add(-age).Before(file.Add(2 * time.Second))
}
