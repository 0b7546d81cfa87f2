//go:build !unix

package bench

import "os"

// cpuSeconds is not known here.
func cpuSeconds() float64 { return 0 }

// peakOf is not known here.
func peakOf(*os.ProcessState) int64 { return 0 }
