package glcompute

import (
	"os"
	"testing"

	"blossom/gpu/enginetest"
	"blossom/model/work/engine"
)

// open returns the engine on a context without a display, or skips the test.
func openEngine(t testing.TB, o engine.Options) engine.Engine {
	t.Helper()
	o.GL = offscreen
	e, err := New(o)
	if err != nil {
		if os.Getenv("CI") != "" || os.Getenv("BLOSSOM_REQUIRE_GL") != "" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return e
}

func TestConformance(t *testing.T) {
	if testing.Short() { // the steps with -short look for races and for cgo, of which there are none here
		t.Skip("half a minute")
	}
	e := openEngine(t, engine.Options{})
	defer e.Close()
	var without []string
	if !enginetest.Software.Whole(t) {
		without = []string{"Sizes", "Random"} // these take most of the time
	}
	enginetest.Run(t, func() (engine.Engine, error) { return lasting{e}, nil }, without...)
}

// lasting is an engine that stays open for the whole suite, so that its kernels are compiled once.
type lasting struct{ engine.Engine }

func (lasting) Close() error { return nil }
