//go:build race

package driver

const raceEnabled = true // its own bookkeeping allocates
