package driver

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"unsafe"

	"blossom/gpu/cuda/driver/fake"
)

// withFake loads the fake driver, configured by words. Each call starts anew, as a program would.
type withFake struct {
	path      string
	find      func(string) uintptr
	configure func(t testing.TB, words string) *library
}

func newFake(t testing.TB, flags ...string) withFake {
	t.Helper()
	f := withFake{path: fake.Library(t, flags...)}
	find, err := open(f.path)
	if err != nil {
		t.Fatal(err)
	}
	f.find = find
	f.configure = func(t testing.TB, words string) *library {
		t.Helper()
		text := append([]byte(words), 0)
		args := []uintptr{uintptr(unsafe.Pointer(&text[0]))}
		invoke(find("fake_configure"), args)
		runtime.KeepAlive(text)
		l, err := load(f.path)
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	return f
}

// live counts what was made and not freed.
func (f withFake) live() int { return int(int32(invoke(f.find("fake_live"), nil))) }

// launched tells the last launch.
func (f withFake) launched() string {
	at := invoke(f.find("fake_launched"), nil)
	p := *(**byte)(unsafe.Pointer(&at))
	return cText(unsafe.Slice(p, 4096))
}

// entered opens a card and enters its context for the rest of the test.
func entered(t testing.TB, l *library, device int) *Context {
	t.Helper()
	c, err := l.open(device)
	if err != nil {
		t.Fatal(err)
	}
	leave, err := c.Enter()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		leave()
		if err := c.Close(); err != nil && !lost(err) {
			t.Error(err)
		}
	})
	return c
}

func lost(err error) bool {
	var e *Error
	return errors.As(err, &e) && e.Lost()
}

func try(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails checks that err is an *Error of that code.
func fails(t testing.TB, err error, code int) *Error {
	t.Helper()
	var e *Error
	if !errors.As(err, &e) || e.Code != code {
		t.Fatalf("want an error of code %d, got %v", code, err)
	}
	return e
}

// Every way not to have CUDA says what is wrong and what to do.
func TestAbsent(t *testing.T) {
	f := newFake(t)
	for words, want := range map[string][2]string{
		"cards=0":                      {"sees no card", "CUDA_VISIBLE_DEVICES"},
		"version=10020":                {"supports CUDA 10.2, and 11.0 is needed", "update it to 450.80"},
		"fail=cuInit:34":               {"stub", "LD_LIBRARY_PATH"},
		"fail=cuInit:46":               {"another program", "compute mode"},
		"fail=cuInit:100":              {"sees no card", "nvidia-smi"},
		"fail=cuInit:802":              {"not ready", "nvidia-fabricmanager"},
		"fail=cuInit:803":              {"different versions", "restart"},
		"fail=cuInit:804":              {"compatibility", "update"},
		"fail=cuInit:999":              {"does not start (CUDA_ERROR_UNKNOWN)", "nvidia_uvm"},
		"fail=cuInit:304":              {"does not start (error 304)", "nvidia-smi"},
		"cards=1 capability=5.0":       {"Fake GPU A has compute capability 5.0, and 5.2 is needed", "another engine"},
		"fail=cuDriverGetVersion:3":    {"", ""}, // not knowing its version is no reason to refuse it
		"version=13000 capability=5.2": {"", ""},
	} {
		l := f.configure(t, words)
		cards, err := l.devices()
		if err == nil {
			err = cards[0].Supported()
		}
		if want[0] == "" {
			if err != nil {
				t.Errorf("%s: %v", words, err)
			}
			continue
		}
		checkAbsent(t, words, err, want)
		if c, again := l.open(0); words != "cards=1 capability=5.0" &&
			(again == nil || again.Error() != err.Error() || c != nil) {
			t.Errorf("%s: Open says %v", words, again)
		}
	}
}

func checkAbsent(t *testing.T, what string, err error, want [2]string) {
	t.Helper()
	var a *Absent
	if !errors.As(err, &a) || !strings.Contains(a.What, want[0]) || !strings.Contains(a.Remedy, want[1]) {
		t.Errorf("%s: got %v, want %q", what, err, want)
		return
	}
	if p := Problem(err); p.What != a.What || p.Remedy != a.Remedy {
		t.Errorf("%s: as a problem %v", what, p)
	}
}

// Libraries that are no driver.
func TestAbsentLibrary(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("names of libraries are those of Linux")
	}
	text := filepath.Join(t.TempDir(), "text.so")
	try(t, os.WriteFile(text, []byte("no library"), 0o600))
	for path, want := range map[string][2]string{
		"/no/such/libcuda.so.1": {"named by BLOSSOM_LIBCUDA, is not found", "unset"},
		text:                    {"named by BLOSSOM_LIBCUDA, does not open: ", "unset"},
	} {
		l, err := load(path)
		if l != nil {
			t.Errorf("%s opened", path)
		}
		checkAbsent(t, path, err, want)
	}
	l, err := load("libc.so.6")
	try(t, err)
	_, err = l.devices()
	checkAbsent(t, "libc", err, [2]string{"libc.so.6, named by BLOSSOM_LIBCUDA, has no cuDriverGetVersion", "unset"})
	checkAbsent(t, "system", lacking(systemLibrary, "cuInit"),
		[2]string{systemLibrary + " has no cuInit", "NVIDIA's own driver"})
	checkAbsent(t, "system", notOpening(systemLibrary, errors.New("wrong ELF class")),
		[2]string{"does not open (wrong ELF class)", "install the driver again"})
	if _, err := open(systemLibrary); err != nil {
		checkAbsent(t, systemLibrary, err, [2]string{"no NVIDIA driver (libcuda.so.1 is not found)",
			"install it, 450.80 or newer, if there is"})
	}
}

func TestVersionText(t *testing.T) {
	for v, want := range map[int]string{12040: "12.4", 11080: "11.8", 9020: "9.2", 13000: "13.0", 0: "", -1: ""} {
		if got := versionText(v); got != want {
			t.Errorf("%d is %q, want %q", v, got, want)
		}
	}
}

func TestTwoCards(t *testing.T) {
	f := newFake(t)
	l := f.configure(t, "cards=2 capability=9.0 memory=150000000000 gl=1")
	cards, err := l.devices()
	try(t, err)
	if len(cards) != 2 {
		t.Fatalf("%d cards", len(cards))
	}
	b := cards[1]
	want := Device{Index: 1, Name: "Fake GPU B", Major: 9, SMs: 101, Memory: 150000000000, PCI: "0000:3b:00.0",
		ThreadsSM: 2048,
		SharedSM:  164 << 10, SharedBlock: 163 << 10, RegistersSM: 65536, L2: 40 << 20, Clock: 1500000,
		MemoryClock: 2600000, MemoryBus: 5120, TimeLimit: true}
	if b != want {
		t.Errorf("card 1 is %+v", b)
	}
	if text := b.String(); text != "Fake GPU B (compute capability 9.0, 139.7 GiB)" {
		t.Errorf("said as %q", text)
	}
	for _, index := range []int{-1, 2, 1 << 40} {
		_, err := l.open(index)
		checkAbsent(t, "card out of range", err, [2]string{"there is no card",
			"0: Fake GPU A (compute capability 9.0, 139.7 GiB), 1: Fake GPU B"})
	}
	// Each card has memory of its own, and the contexts nest.
	a, c := entered(t, l, 0), entered(t, l, 1)
	if a.Info().Index != 0 || c.Info() != want {
		t.Error("contexts are of other cards")
	}
	p, err := c.Alloc(1000)
	try(t, err)
	free, total, err := c.MemInfo()
	if err != nil || total != 150000000000 || free != total-1000 {
		t.Errorf("card 1: %d of %d free, %v", free, total, err)
	}
	leave, err := a.Enter()
	try(t, err)
	if free, total, err := a.MemInfo(); err != nil || free != total {
		t.Errorf("card 0: %d of %d free, %v", free, total, err)
	}
	leave()
	try(t, c.Free(p))
	// Contexts of one card are one; the last Close frees it.
	again, err := l.open(1)
	try(t, err)
	if again.ctx != c.ctx {
		t.Error("a second context of the card")
	}
	try(t, again.Close())
	try(t, again.Close())
	if _, _, err := c.MemInfo(); err != nil {
		t.Errorf("the other's Close closed this one too: %v", err)
	}
}

func TestNotEntered(t *testing.T) {
	l := newFake(t).configure(t, "")
	c, err := l.open(0)
	try(t, err)
	defer c.Close()
	done := make(chan error)
	go func() { // a goroutine that may be on any thread, none of which has the context
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		_, err := c.Alloc(1)
		done <- err
	}()
	fails(t, <-done, 201)
}

// NVIDIA's own library, where it is installed, has every function under the name that is looked for; no
// card is needed for that.
func TestSystemLibrary(t *testing.T) {
	l, err := load(systemLibrary)
	if err != nil {
		t.Skip("no NVIDIA driver here: ", err)
	}
	if l.version < OldestVersion {
		t.Skip("an old NVIDIA driver is here, of CUDA ", versionText(l.version))
	}
	for f, at := range l.at {
		if at == 0 {
			t.Errorf("CUDA %s has no %s", versionText(l.version), symbols[f])
		}
	}
}

// The system's driver, or what the environment names in its place, is opened once; all three doors agree
// about it.
func TestSystem(t *testing.T) {
	_, errVersion := Version()
	cards, errDevices := Devices()
	if errVersion != nil && errDevices == nil || len(cards) == 0 && errDevices == nil {
		t.Errorf("version %v, devices %v %v", errVersion, cards, errDevices)
	}
	var a *Absent
	if errDevices != nil && (!errors.As(errDevices, &a) || a.Remedy == "") {
		t.Errorf("no remedy: %v", errDevices)
	}
	c, err := Open(len(cards))
	if err == nil || c != nil || errDevices != nil && err.Error() != errDevices.Error() {
		t.Errorf("card %d opens: %v", len(cards), err)
	}
}
