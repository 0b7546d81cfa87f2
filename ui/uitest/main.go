// Package uitest runs an app of package shell without a screen and does to it what a user would: moves,
// clicks, drags, types, drops files. Input goes through the same door as a real window's. Pictures of
// the window are compared with golden ones.
//
// A package that uses it has a TestMain that calls Main. Without OpenGL (no display, no driver) tests
// are skipped with a message; in CI, or with BLOSSOM_REQUIRE_GL set, they fail.
package uitest

import (
	"flag"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "write the golden pictures anew")

func init() { runtime.LockOSThread() } // main must stay on the main thread

// calls are functions to run on the main thread.
var calls = make(chan func())

// started tells that Main serves calls.
var started bool

// Main runs the tests while the main thread serves Do. Call it from TestMain:
//
//	func TestMain(m *testing.M) { uitest.Main(m) }
func Main(m *testing.M) {
	flag.Parse()
	time.Local = time.UTC // windows show times of day: the same ones wherever the test runs
	started = true
	done := make(chan int)
	go func() { done <- m.Run() }()
	for {
		select {
		case f := <-calls:
			f()
		case code := <-done:
			os.Exit(code)
		}
	}
}

// Do runs f on the main thread and waits for it. A panic in f is passed on. f must not end the test
// (t.Fatal), only the test's own goroutine may.
func Do(f func()) {
	if !started {
		panic("uitest: the package has no TestMain that calls uitest.Main")
	}
	done := make(chan any)
	calls <- func() {
		var failed any = "the test function ended the main goroutine" // if f calls runtime.Goexit
		defer func() {
			if v := recover(); v != nil {
				failed = fmt.Sprintf("%v\n%s", v, debug.Stack())
			}
			done <- failed
		}()
		f()
		failed = nil
	}
	if v := <-done; v != nil {
		panic(v)
	}
}
