package view_test

import (
	"testing"

	_ "blossom/gpu/cpu"
	"blossom/ui/uitest"
	"blossom/ui/uitest/stand"
)

func TestMain(m *testing.M) { uitest.Main(m) }

// begin opens a window in which nothing but the views stand.
func begin(t *testing.T, o stand.Options) (*stand.Window, *uitest.Driver) {
	t.Helper()
	o.Views = stand.Whole
	return stand.Open(t, o)
}
