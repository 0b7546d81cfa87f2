package egl

import (
	"errors"
	"os"
	"runtime"
	"strings"
	"testing"

	"github.com/go-gl/gl/v4.1-core/gl"

	"blossom/model/base/problem"
)

func TestContext(t *testing.T) {
	c, err := New(Options{Software: true})
	if err != nil {
		var p *problem.Problem
		if !errors.As(err, &p) || p.Remedy == "" {
			t.Fatalf("not a problem with a remedy: %v", err)
		}
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	defer runtime.UnlockOSThread()
	defer c.Close()
	if v := gl.GoStr(gl.GetString(gl.VERSION)); !strings.HasPrefix(v, "4.") {
		t.Errorf("version %q", v)
	}
	// It can move to another thread and back.
	c.Release()
	moved := make(chan error)
	go func() {
		runtime.LockOSThread()
		err := c.MakeCurrent()
		c.Release()
		moved <- err
	}()
	if err := <-moved; err != nil {
		t.Error(err)
	}
	if err := c.MakeCurrent(); err != nil {
		t.Error(err)
	}
	c.Close()
	c.Close() // harmless
}

// Devices are said to be software without a context where one draws with llvmpipe, or the like.
func TestOnlySoftwareIsWhatContextsSay(t *testing.T) {
	only := OnlySoftware()
	c, err := New(Options{})
	if err != nil {
		t.Skip(err)
	}
	defer runtime.UnlockOSThread()
	defer c.Close()
	renderer := strings.ToLower(gl.GoStr(gl.GetString(gl.RENDERER)))
	soft := strings.Contains(renderer, "llvmpipe") || strings.Contains(renderer, "softpipe")
	if only && !soft {
		t.Errorf("%s is called software", renderer)
	}
	if soft && !only && os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
		t.Errorf("%s is not called software", renderer)
	}
}

func TestFailureNamesThePackages(t *testing.T) {
	text := failure("nothing").Error()
	for _, want := range []string{"libegl1", "mesa-libEGL", "libglvnd", "Debian", "Fedora", "Arch"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not name %s", text, want)
		}
	}
}
