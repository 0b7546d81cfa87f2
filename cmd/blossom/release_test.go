//go:build linux

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The packages for Linux are built twice with the same bytes, and what is in them starts in a root with Debian 11: the
// archive as it is unpacked, the package of Debian as dpkg installs it.
func TestPackagesForLinux(t *testing.T) {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it builds the packages: make test-long")
	}
	for _, tool := range []string{"debootstrap", "dpkg", "unshare"} {
		if _, err := exec.LookPath(tool); err != nil || os.Getuid() != 0 {
			t.Skip("packages are built by root of a Debian, with debootstrap: ", err)
		}
	}
	dirs := []string{t.TempDir(), t.TempDir()}
	for _, dir := range dirs {
		release := exec.Command("./.ci/release", dir, "linux", "deb", "single")
		release.Dir = filepath.Join("..", "..")
		if out, err := release.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	first, second := text(t, filepath.Join(dirs[0], "SHA256SUMS")), text(t, filepath.Join(dirs[1], "SHA256SUMS"))
	if first != second {
		t.Errorf("two builds differ:\n%s\n%s", first, second)
	}
	root := os.Getenv("BLOSSOM_OLDEST")
	if root == "" {
		root = "/var/tmp/blossom-debian11"
	}
	work, err := os.MkdirTemp(filepath.Join(root, "tmp"), "packages-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(work)
	inside := "/tmp/" + filepath.Base(work)
	for _, name := range names(t, dirs[0]) {
		if strings.HasPrefix(name, "blossom") {
			write(t, filepath.Join(work, name), text(t, filepath.Join(dirs[0], name)))
		}
	}
	for name, script := range map[string]string{
		"archive": `tar xzf blossom-*-linux-x86_64.tar.gz && cd blossom-*/ && PATH=$PWD/bin:$PATH`,
		"single file": `mkdir single && tar xzf blossom-*-single.tar.gz -C single && cd single/blossom-*/ && ` +
			`PATH=$PWD:$PATH`,
		"package of Debian": `dpkg --force-depends -i blossom_*.deb >/dev/null 2>&1; ` +
			`dpkg -L blossom | grep -q blossom-embed.1.gz && test -x /usr/bin/blossom && ` +
			`test -s /usr/share/mime/packages/blossom.xml`,
	} {
		c := exec.Command("chroot", root, "/bin/sh", "-ec", "cd "+inside+" && "+script+` && cd `+inside+
			` && blossom --version && blossom embed demo:tesseract:3000 --variant cpu/baseline -o out.npy && `+
			`blossom doctor | grep -q "ok  engine cpu"`)
		c.Env = []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL=C", "HOME=/tmp"}
		out, err := c.CombinedOutput()
		if err != nil || !strings.HasPrefix(string(out), "blossom version "+release) {
			t.Errorf("%s: %v: %s", name, err, out)
			continue
		}
		here := t.TempDir()
		ok(t, here, "embed", "demo:tesseract:3000", "--variant", "cpu/baseline", "-o", "out.npy")
		if text(t, filepath.Join(work, "out.npy")) != text(t, filepath.Join(here, "out.npy")) {
			t.Errorf("%s: other bytes than here", name)
		}
	}
	remove := exec.Command("chroot", root, "dpkg", "--force-depends", "-r", "blossom")
	if out, err := remove.CombinedOutput(); err != nil {
		t.Errorf("dpkg -r: %v: %s", err, out)
	}
	if _, err := os.Stat(filepath.Join(root, "usr", "bin", "blossom")); err == nil {
		t.Error("dpkg -r leaves the program")
	}
}
