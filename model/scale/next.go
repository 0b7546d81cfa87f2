package scale

import (
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Next is the command that goes on when the parts that a runner was given have come to an end.
type Next struct {
	Args   []string // without the program
	Folder string   // in which it runs
}

// RoundVariable tells a command that goes on for how often the parts of which plan have been placed before.
const RoundVariable = "BLOSSOM_ROUND"

// round is the variable of the command that goes on after the parts of a plan, of which this is the SHA-256, were
// placed once more.
func (n *Next) round(plan string) string { return fmt.Sprintf("%s:%d", plan, Round(plan)) }

// Round counts, from 1, how often the parts of a plan, of which this is the SHA-256, have been placed by commands that
// went on for each other, with this time.
func Round(plan string) int {
	sum, text, _ := strings.Cut(os.Getenv(RoundVariable), ":")
	if n, err := strconv.Atoi(text); err == nil && n > 0 && sum == plan {
		return n + 1
	}
	return 1
}

// MostRounds is how often parts that are missing are placed again by commands that go on for each other.
const MostRounds = 3
