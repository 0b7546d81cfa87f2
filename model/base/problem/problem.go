// Package problem is the one shape of an error that a user reads: which file, what is wrong, and
// what to do about it. It is made once, at the border of the package that knows all three.
package problem

import (
	"errors"
	"fmt"
	"strings"
)

// Problem is an error with a remedy. Its text is one line, "FILE: what: remedy".
type Problem struct {
	File   string // path as the user gave it, or "" where no file is involved
	What   string // the defect, without a final stop
	Remedy string // the user's way out
	Err    error  // the cause, or nil
}

// New returns a Problem; the format and its arguments make What.
func New(file, remedy, format string, args ...any) *Problem {
	return &Problem{File: file, Remedy: remedy, What: fmt.Sprintf(format, args...)}
}

// Wrap returns a Problem with a cause, whose text is not shown unless What contains it.
func Wrap(err error, file, remedy, format string, args ...any) *Problem {
	p := New(file, remedy, format, args...)
	p.Err = err
	return p
}

// Error returns the parts that are set, joined by ": ", on one line.
func (p *Problem) Error() string {
	parts := make([]string, 0, 3)
	for _, s := range []string{p.File, p.What, p.Remedy} {
		if s != "" {
			parts = append(parts, strings.Join(strings.Fields(s), " "))
		}
	}
	return strings.Join(parts, ": ")
}

func (p *Problem) Unwrap() error { return p.Err }

// Of is a Problem that names no file as one of a file; other errors stay.
func Of(err error, file string) error {
	if p, ok := errors.AsType[*Problem](err); ok && p.File == "" {
		return Wrap(err, file, p.Remedy, "%s", p.What)
	}
	return err
}

// As returns the Problem in err's chain, or one without a remedy made from err.
func As(err error) *Problem {
	var p *Problem
	if errors.As(err, &p) {
		return p
	}
	return &Problem{What: err.Error(), Err: err}
}

// OneOf lists the words to choose from for a remedy or a help text: "a, b or c".
func OneOf(words ...string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
