package gating

import (
	"fmt"
	"strings"

	"blossom/model/base/pattern"
	"blossom/model/base/problem"
)

// edition2 is the namespace of Gating-ML 2.0.
const edition2 = "http://www.isac-net.org/std/Gating-ML/v2.0/gating"

var version = pattern.Of(`(?i)/gating-ml/v([0-9]+(?:\.[0-9]+)*)(?:/|$)`)

// edition says what is odd about the namespace of a document of Gating-ML, "" for nothing. Elements of one name mean
// other things in other versions, so that one of these is an error.
func edition(namespace string) (remark string, err error) {
	if m := version().FindStringSubmatch(namespace); m != nil && m[1] != "2.0" {
		return "", problem.New("", remedy, "is Gating-ML %.20s, which is not read", m[1])
	}
	switch {
	case strings.EqualFold(strings.TrimSpace(namespace), edition2):
		return "", nil
	case namespace == "":
		return "the gates are in no namespace, and are read as Gating-ML 2.0", nil
	}
	return fmt.Sprintf("the gates are in the namespace %.100q, and are read as Gating-ML 2.0", namespace), nil
}
