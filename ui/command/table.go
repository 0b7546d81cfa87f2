package command

import (
	"slices"

	"blossom/ui/shell"
)

// Table is commands in the order of the menus.
type Table[Subject any] []*Command[Subject]

// Make returns the table of lists of commands.
func Make[Subject any](lists ...[]*Command[Subject]) (t Table[Subject]) {
	for _, l := range lists {
		t.Add(l...)
	}
	return t
}

// Add adds commands, each where it says that it stands. It panics if an ID is taken, or a key has no code: it would
// answer to none, in silence.
func (t *Table[Subject]) Add(commands ...*Command[Subject]) {
	for _, c := range commands {
		at := len(*t)
		for i, x := range *t {
			if x.ID == c.ID {
				panic("command: registered twice: " + c.ID)
			}
			if x.ID == c.Below {
				at = i + 1
			}
		}
		for _, k := range c.Keys {
			if !Known(k) {
				panic("command: " + c.ID + " has a key without a code: " + k)
			}
		}
		*t = slices.Insert(*t, at, c)
	}
}

// ByID returns a command that is known to exist.
func (t Table[Subject]) ByID(id string) *Command[Subject] {
	for _, c := range t {
		if c.ID == id {
			return c
		}
	}
	panic("command: there is none called " + id)
}

// For returns the command of a key or character event, or nil: of several, the first that can be given now.
func (t Table[Subject]) For(e shell.Event, s Subject) *Command[Subject] {
	var first *Command[Subject]
	for _, c := range t {
		if !c.answers(e) {
			continue
		}
		if c.Can(s) {
			return c
		}
		if first == nil {
			first = c
		}
	}
	return first
}
