//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// system is a Debian in a folder, as its installer leaves it: without OpenGL, X11, compilers.
type system struct {
	t   *testing.T
	dir string
}

// freshSystem makes one; the test is skipped where that cannot be.
func freshSystem(t *testing.T) system {
	t.Helper()
	s := system{t, t.TempDir()}
	fetch := exec.Command("debootstrap", "--variant=minbase", "bullseye", s.dir)
	if out, err := fetch.CombinedOutput(); err != nil {
		t.Skipf("Debian cannot be fetched: %v: %s", err, out[max(0, len(out)-300):])
	}
	return s
}

// run runs a script of sh in the system, with a display that is outside.
func (s system) run(display, script string) (string, error) {
	const enter = `mount -t proc proc "$0/proc"; exec chroot "$0" /bin/sh -ec "$1"`
	c := exec.Command("unshare", "--mount", "sh", "-ec", enter, s.dir, script)
	c.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "HOME=/root", "DEBIAN_FRONTEND=noninteractive"}
	if display != "" {
		c.Env = append(c.Env, "DISPLAY="+display)
	}
	for _, name := range []string{"http_proxy", "https_proxy", "no_proxy"} {
		if v := os.Getenv(name); v != "" {
			c.Env = append(c.Env, name+"="+v)
		}
	}
	out, err := c.CombinedOutput()
	return string(out), err
}

// ok is run that must succeed.
func (s system) ok(display, script string) string {
	s.t.Helper()
	out, err := s.run(display, script)
	if err != nil {
		s.t.Fatalf("%s: %v: %s", script, err, out[max(0, len(out)-2000):])
	}
	return out
}

// In a system without OpenGL and X11 the archive computes, and says of the window in a line what it lacks; apt installs
// the package of Debian with what that depends on, the window opens then, and no trace is left when it is removed.
func TestPackagesInAFreshSystem(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it builds packages, and fetches a Debian: make test-long")
	}
	for _, tool := range []string{"debootstrap", "unshare", "Xvfb"} {
		if _, err := exec.LookPath(tool); err != nil || os.Getuid() != 0 {
			t.Skip("fresh systems are made by root of a Debian, with debootstrap, unshare and Xvfb: ", err)
		}
	}
	dir := t.TempDir()
	build := exec.Command("./.ci/release", dir, "linux", "deb")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	s := freshSystem(t)
	archive, deb := "blossom-"+release+"-linux-x86_64.tar.gz", "blossom_"+release+"_amd64.deb"
	for _, name := range []string{archive, deb} {
		write(t, filepath.Join(s.dir, "root", name), text(t, filepath.Join(dir, name)))
	}
	display := startDisplay(t)
	s.withoutLibraries(display, archive)
	s.installed(display, deb)
}

// withoutLibraries runs the program of the archive, which computes, and cannot open a window.
func (s system) withoutLibraries(display, archive string) {
	t := s.t
	t.Helper()
	s.ok("", "cd /root && tar xzf "+archive+" && ln -s /root/blossom-*/bin/blossom /root/unpacked")
	s.ok("", "cd /root && ./unpacked embed demo:tesseract:500 --variant cpu/baseline -o map.npy")
	here := t.TempDir()
	ok(t, here, "embed", "demo:tesseract:500", "--variant", "cpu/baseline", "-o", "map.npy")
	if text(t, filepath.Join(s.dir, "root", "map.npy")) != text(t, filepath.Join(here, "map.npy")) {
		t.Error("the archive computes another map than the program here")
	}
	said, err := s.run(display, "/root/unpacked demo:tesseract:500")
	if err == nil || strings.Count(said, "\n") != 1 || !strings.Contains(said, "libX11.so.6") ||
		!strings.Contains(said, "libx11-6") {
		t.Errorf("a window without X11: %v: %q", err, said)
	}
	said, err = s.run("", "/root/unpacked render demo:tesseract:500 -o /root/map.png")
	if err == nil || strings.Count(said, "\n") != 1 || !strings.Contains(said, "libegl1") {
		t.Errorf("a picture without EGL: %v: %q", err, said)
	}
	if said := s.ok(display, "/root/unpacked doctor"); !strings.Contains(said, "ok  engine cpu") ||
		!strings.Contains(said, "--  window") {
		t.Errorf("doctor: %s", said)
	}
}

// installed has apt install the package, and tries it.
func (s system) installed(display, deb string) {
	t := s.t
	t.Helper()
	s.ok("", "apt-get update -qq && apt-get install -y -qq /root/"+deb)
	s.ok("", "dpkg -s libgl1 libx11-6 >/dev/null && blossom embed demo:tesseract:500 -o /root/installed.csv")
	s.ok("", "blossom render demo:tesseract:500 -o /root/map.png && test -s /root/map.png")
	if said := s.ok(display, "blossom doctor"); !strings.Contains(said, "ok  window") {
		t.Errorf("doctor: %s", said)
	}
	// --to names a session that the window writes when its data is open.
	s.ok(display, "cd /root && blossom demo:tesseract:500 --to open.blossom & window=$!; "+
		"for i in $(seq 600); do test -s /root/open.blossom && break; sleep 0.1; done; "+
		"test -s /root/open.blossom && kill $window")
	s.ok("", "apt-get remove -y -qq blossom")
	if left := s.ok("", "find /usr -name '*blossom*'"); strings.TrimSpace(left) != "" {
		t.Errorf("it leaves %s", left)
	}
}
