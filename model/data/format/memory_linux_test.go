package format

import (
	"testing"
	"testing/fstest"
)

func TestAvailableMemory(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	info := file("MemTotal: 99 kB\nMemAvailable:    1000 kB\n")
	for name, c := range map[string]struct {
		root fstest.MapFS
		want int64
	}{
		"kernel":       {fstest.MapFS{"proc/meminfo": info}, 1000 << 10},
		"nothing said": {fstest.MapFS{}, fallbackMemory},
		"group": {fstest.MapFS{"proc/meminfo": info, "proc/self/cgroup": file("0::/a/b\n"),
			"sys/fs/cgroup/a/b/memory.max": file("max\n"), "sys/fs/cgroup/a/b/memory.current": file("9\n"),
			"sys/fs/cgroup/a/memory.max": file("5000\n"), "sys/fs/cgroup/a/memory.current": file("3000\n"),
			"sys/fs/cgroup/a/memory.stat": file("anon 1\ninactive_file 500\nactive_file 100\n")}, 2600},
		"container": {fstest.MapFS{"proc/meminfo": info, "proc/self/cgroup": file("0::/\n"),
			"sys/fs/cgroup/memory.max": file("5000\n"), "sys/fs/cgroup/memory.current": file("6000\n")}, 0},
		"version 1": {fstest.MapFS{"proc/meminfo": info, "proc/self/cgroup": file("3:cpu:/x\n4:memory:/x\n"),
			"sys/fs/cgroup/memory/x/memory.limit_in_bytes": file("5000"),
			"sys/fs/cgroup/memory/x/memory.usage_in_bytes": file("1000")}, 4000},
	} {
		if got := availableLinux(c.root); got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
	if n := AvailableMemory(); n < 1<<20 {
		t.Errorf("%d bytes are free", n)
	}
}
