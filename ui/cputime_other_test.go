//go:build !unix

package ui

import "time"

// cpuTime is unknown here.
func cpuTime() time.Duration { return 0 }
