package glcompute

import (
	"os"
	"strconv"
	"strings"
)

// trial is what BLOSSOM_GL_TRIAL=name=value,name=value says of a name: for finding out what suits a card.
func trial(name string, otherwise int) int {
	for _, s := range strings.Split(os.Getenv("BLOSSOM_GL_TRIAL"), ",") {
		if v, ok := strings.CutPrefix(s, name+"="); ok {
			if n, err := strconv.Atoi(v); err == nil {
				return n
			}
		}
	}
	return otherwise
}
