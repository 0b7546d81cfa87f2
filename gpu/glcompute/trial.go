package glcompute

import (
	"os"
	"strconv"
	"strings"
)

var trials = map[string]int{}

func init() {
	for _, s := range strings.Split(os.Getenv("BLOSSOM_GL_TRIAL"), ",") {
		if name, v, ok := strings.Cut(s, "="); ok {
			if n, err := strconv.Atoi(v); err == nil {
				trials[name] = n
			}
		}
	}
}

// trial is what BLOSSOM_GL_TRIAL=name=value,name=value says of a name: for finding out what suits a card.
func trial(name string, otherwise int) int {
	if v, ok := trials[name]; ok {
		return v
	}
	return otherwise
}
