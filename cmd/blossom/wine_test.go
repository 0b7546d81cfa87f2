//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"blossom/model/document/session"
)

// wine is a Windows in a folder, with a display.
type wine struct {
	t              *testing.T
	dir, exe, show string
}

// prng is the DLL that wine 8 lacks and Go's runtime wants.
const prng = `#include <windows.h>
#include <ntsecapi.h>
__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) { return RtlGenRandom(data, (ULONG)size); }
`

// startWine builds the program for Windows, and makes a Windows for it.
func startWine(t *testing.T) *wine {
	if os.Getenv("BLOSSOM_LONG") == "" {
		t.Skip("it builds the program for Windows: make test-long")
	}
	for _, tool := range []string{"wine", "wineboot", "Xvfb", "xdotool", "makensis", "unzip",
		"x86_64-w64-mingw32-g++"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("there is no Windows to try it on: ", err)
		}
	}
	w := &wine{t: t, dir: t.TempDir()}
	must := func(c *exec.Cmd) {
		t.Helper()
		if out, err := c.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v\n%s", c, err, out)
		}
	}
	build := exec.Command("./.ci/release", w.dir, "windows", "installer")
	build.Dir = filepath.Join("..", "..")
	must(build)
	unpack := exec.Command("unzip", "-q", "blossom-"+release+"-windows-x86_64.zip")
	unpack.Dir = w.dir
	must(unpack)
	w.exe = filepath.Join(w.dir, "blossom", "blossom.exe")

	w.show = startDisplay(t)
	t.Cleanup(func() { w.tool("wineserver", "-k") })
	if out, err := w.tool("wineboot", "-i"); err != nil {
		t.Fatalf("wineboot: %v\n%s", err, out)
	}
	write(t, filepath.Join(w.dir, "prng.c"), prng)
	must(exec.Command("x86_64-w64-mingw32-gcc", "-shared", "-O2", "-o",
		filepath.Join(w.dir, "prefix", "drive_c", "windows", "system32", "bcryptprimitives.dll"),
		filepath.Join(w.dir, "prng.c"), "-ladvapi32"))
	return w
}

// command runs something in the Windows.
func (w *wine) command(name string, args ...string) *exec.Cmd {
	c := exec.Command(name, args...)
	c.Dir = w.dir
	c.Env = append(os.Environ(), "WINEPREFIX="+filepath.Join(w.dir, "prefix"), "WINEARCH=win64", "WINEDEBUG=-all",
		"WINEDLLOVERRIDES=mscoree,mshtml=", "DISPLAY="+w.show, "LIBGL_ALWAYS_SOFTWARE=1", "LC_ALL=C.UTF-8")
	return c
}

func (w *wine) tool(name string, args ...string) (string, error) {
	out, err := w.command(name, args...).CombinedOutput()
	return string(out), err
}

// blossom runs the program in the folder of the test, which is a folder of drive Z.
func (w *wine) blossom(args ...string) result {
	w.t.Helper()
	r := finish(w.t, w.command("wine", append([]string{w.exe}, args...)...))
	r.stdout, r.stderr = strings.ReplaceAll(r.stdout, "\r", ""), strings.ReplaceAll(r.stderr, "\r", "")
	if i := strings.Index(r.stderr, "blossom: "); i > 0 { // behind what wine says of itself
		r.stderr = r.stderr[i:]
	}
	return r
}

func (w *wine) ok(args ...string) result {
	w.t.Helper()
	r := w.blossom(args...)
	if r.code != 0 {
		w.t.Fatalf("blossom %q: exit code %d: %s", args, r.code, r.stderr)
	}
	return r
}

// The program for Windows does under wine what it does here: the same bytes, names in any script and of any length,
// pictures without a window; its window opens, obeys, and finds what a death left behind.
func TestWindows(t *testing.T) {
	w := startWine(t)
	t.Run("commands", w.commands)
	t.Run("paths", w.paths)
	t.Run("pictures", w.pictures)
	t.Run("window", w.window)
	t.Run("files that are open", w.held)
	t.Run("installer", w.installer)
}

func (w *wine) commands(t *testing.T) {
	w.t = t
	var h health
	parse(t, w.ok("doctor", "--json").stdout, &h)
	if !h.GL.Offscreen.Available || !h.GL.Window.Available || len(h.Dialogs) == 0 {
		t.Errorf("doctor: %+v", h)
	}
	here := t.TempDir()
	for name, line := range map[string]string{
		"reference.npy": "embed demo:tesseract:3000 --engine reference",
		"go.npy":        "embed demo:cytometry:3000 --variant cpu/go",
		"baseline.npy":  "embed demo:cytometry:3000 --variant cpu/baseline",
		"train.json":    "train demo:tesseract:3000 --som 6x6 --epochs 2 --variant cpu/baseline",
		"tsne.csv":      "tsne demo:tesseract:500 --units 30 --variant cpu/baseline",
		"data.parquet":  "convert demo:tesseract:300",
	} {
		args := strings.Fields(line)
		if name != "data.parquet" {
			args = append(args, "-o")
		}
		w.ok(append(args, name)...)
		ok(t, here, append(args, name)...)
		if text(t, filepath.Join(w.dir, name)) != text(t, filepath.Join(here, name)) {
			t.Errorf("%s: other bytes than on Linux", name)
		}
	}
	r := w.blossom("embed", "none.csv", "-o", "a.csv")
	if r.code != exitFailed || !strings.Contains(r.stderr, "none.csv") {
		t.Errorf("no such file: exit code %d, %q", r.code, r.stderr)
	}
	if said := w.ok("--version").stdout; !strings.HasPrefix(said, "blossom version "+release) {
		t.Errorf("version: %q", said)
	}
}

// holder opens a file as Excel does, so that nobody may write it, and says so by a file of its own.
const holder = `#include <windows.h>
int main(int n, char **a) {
  HANDLE h = CreateFileA(a[1], GENERIC_READ, FILE_SHARE_READ, 0, OPEN_EXISTING, 0, 0);
  if (h == INVALID_HANDLE_VALUE) return 1;
  CloseHandle(CreateFileA(a[2], GENERIC_WRITE, 0, 0, CREATE_ALWAYS, 0, 0));
  Sleep(60000);
  return 0;
}
`

// held tries to write a file that another program has open.
func (w *wine) held(t *testing.T) {
	w.t = t
	write(t, filepath.Join(w.dir, "hold.c"), holder)
	write(t, filepath.Join(w.dir, "held.csv"), "a,b\n1,2\n")
	if out, err := w.tool("x86_64-w64-mingw32-gcc", "-o", "hold.exe", "hold.c"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	c := w.command("wine", "hold.exe", "held.csv", "holding")
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { c.Process.Kill(); c.Wait() }()
	w.until("the file is held", func() bool {
		_, err := os.Stat(filepath.Join(w.dir, "holding"))
		return err == nil
	})
	w.ok("info", "held.csv")
	r := w.blossom("convert", "demo:tesseract:100", "held.csv")
	r.refused(t, exitFailed, "held.csv", "another program has it open")
	for _, name := range names(t, w.dir) {
		if strings.HasSuffix(name, ".part") {
			t.Errorf("it left %s", name)
		}
	}
	if text(t, filepath.Join(w.dir, "held.csv")) != "a,b\n1,2\n" {
		t.Error("the file that was held is another one now")
	}
}

// installer puts the program where the user's programs are, has sessions opened by it, and takes all away again.
func (w *wine) installer(t *testing.T) {
	w.t = t
	setup := filepath.Join(w.dir, "blossom-"+release+"-windows-setup.exe")
	if out, err := w.tool("wine", setup, "/S"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	installed, _ := filepath.Glob(filepath.Join(w.dir, "prefix", "drive_c", "users", "*", "AppData", "Local",
		"Programs", "blossom", "blossom.exe"))
	if len(installed) != 1 || text(t, installed[0]) != text(t, w.exe) {
		t.Fatalf("installed: %q", installed)
	}
	if out, err := w.tool("wine", installed[0], "--version"); err != nil || !strings.Contains(out, release) {
		t.Errorf("%v: %s", err, out)
	}
	key := `HKCU\Software\Classes\blossom.session\shell\open\command`
	if out, err := w.tool("wine", "reg", "query", key, "/ve"); err != nil || !strings.Contains(out, "blossom.exe") {
		t.Errorf("sessions are not opened by it: %v: %s", err, out)
	}
	if out, err := w.tool("wine", filepath.Join(filepath.Dir(installed[0]), "uninstall.exe"), "/S"); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	w.until("the uninstaller, which goes on in a copy of itself, has done its work", func() bool {
		_, err := os.Stat(installed[0])
		return os.IsNotExist(err)
	})
	w.until("the registry forgets it", func() bool {
		_, err := w.tool("wine", "reg", "query", key, "/ve")
		return err != nil
	})
}

// paths are names that Windows has and Linux has not.
func (w *wine) paths(t *testing.T) {
	w.t = t
	write(t, filepath.Join(w.dir, "lines.csv"), "größe,b\r\n1,2\r\n3,4\r\n5,7\r\n")
	windows := func(path string) string { return "Z:" + strings.ReplaceAll(path, "/", `\`) }
	long := filepath.Join(w.dir, strings.Repeat("ä long name ", 12), strings.Repeat("длинное имя ", 9), "x")
	if err := os.MkdirAll(long, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{`drei größen.csv`, windows(filepath.Join(long, "細胞.csv")), `C:\cells.csv`,
		`\\?\C:\cells2.csv`, `.\sub\..\dots.csv`} {
		os.MkdirAll(filepath.Join(w.dir, "sub"), 0o777)
		w.ok("convert", windows(filepath.Join(w.dir, "lines.csv")), out)
		if said := w.ok("info", out).stdout; !strings.Contains(said, "3 points x 2 columns") ||
			!strings.Contains(said, "größe") {
			t.Errorf("%s: %s", out, said)
		}
	}
	r := w.blossom("info", "lines.csv", `C:\no\such.csv`)
	if r.code == 0 || !strings.Contains(r.stderr, `C:\no\such.csv`) {
		t.Errorf("a file that is not there: %q", r.stderr)
	}
	if r := w.blossom("convert", "lines.csv", `C:\no\such.csv`); r.code == 0 || !strings.Contains(r.stderr, "folder") {
		t.Errorf("a folder that is not there: %q", r.stderr)
	}
}

// pictures are those of Linux, but for what may lie within the roundings of a driver.
func (w *wine) pictures(t *testing.T) {
	w.t = t
	needsGL(t)
	here := t.TempDir()
	args := []string{"render", "demo:tesseract:2000", "--size", "600x450", "--variant", "cpu/baseline", "-o", "map.png"}
	w.ok(args...)
	ok(t, here, args...)
	a, b := decode(t, filepath.Join(w.dir, "map.png")), decode(t, filepath.Join(here, "map.png"))
	if a.Bounds() != b.Bounds() {
		t.Fatalf("%v and %v", a.Bounds(), b.Bounds())
	}
	if n := different(a, b); n > a.Bounds().Dx()*a.Bounds().Dy()/100 {
		t.Errorf("%d pixels differ from the picture of Linux", n)
	}
}

// different counts the pixels that differ visibly.
func different(a, b image.Image) (n int) {
	for y := range a.Bounds().Dy() {
		for x := range a.Bounds().Dx() {
			p, q := color.RGBAModel.Convert(a.At(x, y)).(color.RGBA), color.RGBAModel.Convert(b.At(x, y)).(color.RGBA)
			for _, d := range []int{int(p.R) - int(q.R), int(p.G) - int(q.G), int(p.B) - int(q.B)} {
				if d > 16 || d < -16 {
					n++
					break
				}
			}
		}
	}
	return n
}

// slots are the sessions that windows have saved by themselves.
func (w *wine) slots() []string {
	found, _ := filepath.Glob(filepath.Join(w.dir, "prefix", "drive_c", "users", "*", "AppData", "Local", "blossom",
		"recovery", "*", "*.blossom"))
	return found
}

// open starts the window, and waits until it is there.
func (w *wine) open(args ...string) (c *exec.Cmd, id string) {
	w.t.Helper()
	c = w.command("wine", append([]string{w.exe}, args...)...)
	var said bytes.Buffer
	c.Stdout, c.Stderr = io.Discard, &said
	if err := c.Start(); err != nil {
		w.t.Fatal(err)
	}
	w.until("the window opens", func() bool {
		out, err := w.tool("xdotool", "search", "--name", "— blossom$")
		id = strings.TrimSpace(out)
		return err == nil && id != ""
	})
	return c, strings.Fields(id)[0]
}

func (w *wine) until(what string, holds func() bool) {
	w.t.Helper()
	for end := time.Now().Add(3 * time.Minute); !holds(); time.Sleep(300 * time.Millisecond) {
		if time.Now().After(end) {
			w.t.Fatalf("it does not come about that %s", what)
		}
	}
}

// window opens, has a landmark dragged, saves by itself, and is killed; what it left is opened and saved.
func (w *wine) window(t *testing.T) {
	w.t = t
	c, id := w.open("demo:tesseract:2000")
	w.until("the opening and the training are saved", func() bool { return w.entries() >= 2 })
	before := w.entries()
	for _, line := range []string{"windowfocus " + id, "mousemove --window " + id + " 600 400", "key 2"} {
		if out, err := w.tool("xdotool", strings.Fields(line)...); err != nil {
			t.Fatalf("xdotool %s: %v %s", line, err, out)
		}
	}
	w.until("a drag is an entry of the history that is saved", func() bool {
		for y := 300; y < 700; y += 60 { // somewhere there lies a landmark
			for _, line := range []string{
				fmt.Sprintf("mousemove --window %s 700 %d", id, y), "mousedown 1",
				"mousemove_relative -- 15 9", "mousemove_relative -- 25 9", "mousemove_relative -- 30 9", "mouseup 1"} {
				w.tool("xdotool", strings.Fields(line)...)
				time.Sleep(60 * time.Millisecond)
			}
		}
		return w.entries() > before
	})
	if err := syscall.Kill(c.Process.Pid, syscall.SIGKILL); err != nil && !errors.Is(err, syscall.ESRCH) {
		t.Fatal(err)
	}
	c.Wait()
	w.tool("wineserver", "-k", "9") // the process of Windows is another one
	w.recovered(before)
}

// recovered opens what the killed window left, in another folder, and saves it there.
func (w *wine) recovered(before int) {
	t, slot := w.t, ""
	for _, path := range w.slots() {
		if s, err := session.Look(path); err == nil && s.History != nil && len(s.History.Entries) > before {
			slot = path
		}
	}
	if slot == "" {
		t.Fatal("the dragged landmark is in no session that was left")
	}
	left := filepath.Join(w.dir, "left.blossom")
	write(t, left, text(t, slot))
	arrays := strings.TrimSuffix(slot, ".blossom")
	packs, err := session.PacksOf(left)
	if err != nil || len(packs) == 0 {
		t.Fatal(packs, err)
	}
	for _, pack := range packs {
		write(t, filepath.Join(w.dir, pack), text(t, filepath.Join(filepath.Dir(arrays), pack)))
	}
	c, id := w.open("left.blossom")
	defer func() { w.tool("wineserver", "-k"); c.Wait() }()
	w.until("the session is saved whole", func() bool {
		w.tool("xdotool", "windowfocus", id, "mousemove", "--window", id, "600", "400", "key", "ctrl+s")
		time.Sleep(2 * time.Second)
		packs, err := session.PacksOf(left)
		return err == nil && len(packs) == 0
	})
	if s, err := session.Look(left); err != nil || s.History == nil || len(s.History.Entries) <= before {
		t.Errorf("what was saved has lost its history: %v", err)
	}
	w.ok("embed", "--session", "left.blossom", "--variant", "cpu/baseline", "-o", "left.npy")
	here := t.TempDir()
	ok(t, here, "embed", "--session", left, "--variant", "cpu/baseline", "-o", "left.npy")
	if text(t, filepath.Join(w.dir, "left.npy")) != text(t, filepath.Join(here, "left.npy")) {
		t.Error("the saved session has another map on Linux")
	}
}

// entries is how many entries the longest history of the saved sessions has.
func (w *wine) entries() (most int) {
	for _, path := range w.slots() {
		if s, err := session.Look(path); err == nil && s.History != nil { // else it is being replaced
			most = max(most, len(s.History.Entries))
		}
	}
	return most
}
