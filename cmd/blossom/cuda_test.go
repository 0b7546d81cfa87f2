package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/gpu/cuda/driver"
	"blossom/gpu/cuda/driver/fake"
	"blossom/model/work/engine"
)

// withCUDA runs the program with that library as the NVIDIA driver, the fake one configured by words.
func withCUDA(t *testing.T, library, words string, args ...string) result {
	t.Helper()
	c := command(t, t.TempDir(), args...)
	c.Env = append(os.Environ(), driver.Environment+"="+library, fake.Environment+"="+words)
	return finish(t, c)
}

// doctor ends well and is right about every kind of NVIDIA driver, and the engine that needs it says why
// it does not work.
func TestDoctorCUDA(t *testing.T) {
	library := fake.Library(t)
	text := filepath.Join(t.TempDir(), "text.so")
	write(t, text, "no library")
	for _, c := range []struct {
		library, words string
		version        string
		cards          int
		why            []string // words in the reason that CUDA gives
	}{
		{"/no/libcuda.so.1", "", "", 0, []string{"no NVIDIA driver (/no/libcuda.so.1", "not found", "BLOSSOM_LIBCUDA"}},
		{text, "", "", 0, []string{"does not open", "BLOSSOM_LIBCUDA", "unset"}},
		{library, "cards=0", "12.4", 0, []string{"sees no card", "nvidia-smi", "CUDA_VISIBLE_DEVICES"}},
		{library, "version=10020", "10.2", 0, []string{"too old", "10.2", "11.0", "update it to 450.80"}},
		{library, "fail=cuInit:999", "12.4", 0, []string{"does not start", "nvidia_uvm"}},
		{library, "fail=cuInit:803", "12.4", 0, []string{"restart"}},
		{library, "fail=cuInit:-1", "", 0, []string{"the NVIDIA driver crashes", "install it again"}},
		{library, "version=11000 capability=5.2", "11.0", 1, nil},
		{library, "cards=2 capability=9.0 memory=150000000000", "12.4", 2, nil},
	} {
		r := withCUDA(t, c.library, c.words, "doctor", "--json")
		if r.code != 0 || r.stderr != "" {
			t.Errorf("%q: exit code %d, %q", c.words, r.code, r.stderr)
			continue
		}
		var h health
		parse(t, r.stdout, &h)
		if h.CUDA.Available != (c.cards > 0) || h.CUDA.Version != c.version || len(h.CUDA.Devices) != c.cards ||
			len(h.CUDA.Cards) != c.cards || h.CUDA.Needs != "11.0" {
			t.Errorf("%q: %+v", c.words, h.CUDA)
		}
		for _, w := range c.why {
			if !strings.Contains(h.CUDA.Why, w) {
				t.Errorf("%q: %q does not say %q", c.words, h.CUDA.Why, w)
			}
		}
		engines := map[string]engineHealth{}
		for _, e := range h.Engines {
			engines[e.Name] = e
		}
		if cuda := engines["cuda"]; c.cards == 0 && (cuda.Available || cuda.Why == "") {
			t.Errorf("%q: engine cuda is %+v", c.words, cuda)
		}
		if gl := engines["gl"]; !engines["cpu"].Available || gl.Available != h.GL.Offscreen.Available {
			t.Errorf("%q: engines are %+v", c.words, engines)
		}
	}
	said := withCUDA(t, library, "cards=2 capability=9.0 memory=150000000000", "doctor").stdout
	for _, w := range []string{"CUDA 12.4", "11.0 or newer", "450.80", "520.61",
		"card 0             Fake GPU A, compute capability 9.0, 139.7 GiB, 100 multiprocessors, at 0000:3a:00.0",
		"card 1             Fake GPU B"} {
		if !strings.Contains(said, w) {
			t.Errorf("the text does not say %q:\n%s", w, said)
		}
	}
	said = withCUDA(t, text, "", "doctor").stdout
	if strings.Count(said, "unset it") != 1 || !strings.Contains(said,
		"--  engine cuda        needs an NVIDIA card and its driver: see CUDA driver") {
		t.Errorf("the reason should be there once:\n%s", said)
	}
	said = withCUDA(t, library, "capability=3.5", "doctor").stdout
	if !strings.Contains(said, "--  card 0             Fake GPU A has compute capability 3.5, and 5.2 is needed: "+
		"use a card of 2015") {
		t.Errorf("the text does not say that the card is too old:\n%s", said)
	}
}

// With an OpenGL too old to compute, doctor says so, and what works all the same.
func TestDoctorOldGL(t *testing.T) {
	c := command(t, t.TempDir(), "doctor", "--json")
	c.Env = append(os.Environ(), "MESA_GL_VERSION_OVERRIDE=4.1", "LIBGL_ALWAYS_SOFTWARE=1")
	r := finish(t, c)
	if r.code != 0 || r.stderr != "" {
		t.Fatalf("exit code %d, %q", r.code, r.stderr)
	}
	var h health
	parse(t, r.stdout, &h)
	if !strings.HasPrefix(h.GL.Offscreen.Version, "4.1") {
		t.Skipf("no Mesa here that can be told to be older: %+v", h.GL.Offscreen)
	}
	for _, e := range h.Engines {
		if e.Name == "gl" && (e.Available || !strings.Contains(e.Why, "4.3") || !strings.Contains(e.Why, "4.1")) {
			t.Errorf("engine gl: %+v", e)
		}
	}
}

// A card that is not there is a wrong usage that lists those there are, in every command that has --device.
func TestDeviceOutOfRange(t *testing.T) {
	library := fake.Library(t)
	for _, line := range []string{"embed a.csv -o b.csv", "train a.csv -o b.json", "render a.csv -o b.png",
		"bench embed", "demo:mammoth"} {
		args := strings.Fields(line)
		if buildTags != "" && len(args) == 1 { // the window
			continue
		}
		withCUDA(t, library, "cards=2", append(args, "--device", "2")...).refused(t, exitUsage, "--device 2",
			"0: Fake GPU A (compute capability 8.0, 1.0 GiB)", "1: Fake GPU B")
		withCUDA(t, library, "cards=2", append(args, "--device", "-1")...).refused(t, exitUsage, "--device -1",
			"1: Fake GPU B")
		withCUDA(t, library, "cards=0", append(args, "--device", "1")...).refused(t, exitUsage, "--device 1",
			"sees no card")
		withCUDA(t, "/no/such", "", append(args, "--device", "1")...).refused(t, exitUsage, "--device 1",
			"no NVIDIA driver")
	}
}

// Several cards that work together are listed each, and named once.
func TestSeveralDevices(t *testing.T) {
	library := fake.Library(t)
	for _, line := range []string{"cluster a.csv -o b.csv --n-clusters 2", "bench cluster", "embed a.csv -o b.csv",
		"train a.csv --kmeans 2 -o b.json"} {
		for devices, words := range map[string][]string{
			"0,2":   {"--device 2", "1: Fake GPU B"},
			"0,-1":  {"--device -1", "1: Fake GPU B"},
			"1,0,1": {"--device names card 1 twice", "name each card once"},
			"0,one": {"--device", `"0,one" is no number of a card`},
			"":      {"--device", `"" is no number of a card`},
		} {
			withCUDA(t, library, "cards=2", append(strings.Fields(line), "--device="+devices)...).refused(t, exitUsage,
				words...)
		}
	}
}

// All cards are those that there are, also none.
func TestAllDevices(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.csv"), "x,y\n1,2\n3,5\n8,1\n4,4\n")
	var made [2][]byte
	for i, device := range []string{"0", "all"} {
		ok(t, dir, "embed", "a.csv", "-o", "b.csv", "--kmeans", "3", "--engine", "cpu", "--device", device)
		var err error
		if made[i], err = os.ReadFile(filepath.Join(dir, "b.csv")); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(made[0], made[1]) || len(made[0]) == 0 {
		t.Errorf("other positions: %s %s", made[0], made[1])
	}
	first, beside := -1, []int{7}
	if all := (devicesVar{&first, &beside}); all.Set("all") != nil || first != 0 ||
		len(beside)+1 != len(engine.Cards()) {
		t.Errorf("all cards are %d and %v", first, beside)
	}
}

// The kernels of EmbedSOM are chosen where EmbedSOM is computed, and nowhere else.
func TestKernelFlagsAreOfEmbedSOM(t *testing.T) {
	root := newRoot(&app{})
	for _, c := range root.Commands() {
		want := c.Name() == "embed" || c.Name() == "render" || c.Name() == "film"
		for _, name := range []string{"knn", "projection"} {
			if has := c.Flags().Lookup(name) != nil; has != want {
				t.Errorf("blossom %s has --%s: %v", c.Name(), name, has)
			}
		}
	}
}
