// Package pattern has regular expressions that are compiled when they are first used: those of all packages together
// take as long as a small command.
package pattern

import (
	"regexp"
	"sync"
)

// Of returns what returns the compiled expression. It panics at its first use where that makes no sense.
func Of(expression string) func() *regexp.Regexp {
	return sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })
}
