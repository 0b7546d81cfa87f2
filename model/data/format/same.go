package format

import (
	"os"

	"blossom/model/base/problem"
)

// SameFile returns a Problem if writing to out would replace one of the inputs: the same file, also by
// another name, a link or another spelling. What is not a regular file (standard output "-", a device, a
// pipe) and inputs that are not there ("", demo:NAME) are never the same.
func SameFile(out string, inputs ...string) error {
	if out == "" || out == "-" {
		return nil
	}
	to, err := os.Stat(out)
	if err != nil || !to.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if in == "" {
			continue
		}
		if from, err := os.Stat(in); err == nil && os.SameFile(from, to) {
			return problem.New(out, "choose another name", "is the input")
		}
	}
	return nil
}
