package command

import (
	"strings"
	"testing"

	"github.com/AllenDang/cimgui-go/imgui"

	"blossom/ui/shell"
)

// ids are the commands of a table in their order.
func ids(t Table[int]) string {
	var out []string
	for _, c := range t {
		out = append(out, c.ID)
	}
	return strings.Join(out, " ")
}

// Commands stand where they say, whoever adds them.
func TestCommandsStandBelowThoseThatTheyName(t *testing.T) {
	table := Make([]*Command[int]{{ID: "open"}, {ID: "quit"}},
		[]*Command[int]{{ID: "save", Below: "open"}, {ID: "help"}})
	if got := ids(table); got != "open save quit help" || table.ByID("save").ID != "save" {
		t.Error(got)
	}
}

// A command whose key nobody knows by name would answer to none, in silence, and of two with one ID one would never be
// given.
func TestCommandsThatCannotBeGivenAreRefused(t *testing.T) {
	for _, c := range []*Command[int]{{ID: "test-key", Keys: []string{"Ctrl+Hyper"}}, {ID: "open"}} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is added", c.ID)
				}
			}()
			Make([]*Command[int]{{ID: "open"}}, []*Command[int]{c})
		}()
	}
}

// A key finds, of several commands that have it, the one that can be given; a held key repeats only commands that allow
// it.
func TestKeysFindCommands(t *testing.T) {
	table := Make([]*Command[int]{
		{ID: "odd", Keys: []string{"Ctrl+Z"}, Enabled: func(n int) bool { return n%2 == 1 }},
		{ID: "even", Keys: []string{"X", "Ctrl+Z"}, Enabled: func(n int) bool { return n%2 == 0 }, Repeat: true},
		{ID: "ask", Keys: []string{"?"}}})
	down := shell.Event{Kind: shell.KeyDown, Key: imgui.KeyZ, Mods: shell.Ctrl}
	held := down
	held.Repeat = true
	for _, c := range []struct {
		e    shell.Event
		n    int
		want string
	}{{down, 1, "odd"}, {down, 2, "even"}, {held, 1, "even"}, {shell.Event{Kind: shell.Char, Rune: '?'}, 1, "ask"},
		{shell.Event{Kind: shell.KeyDown, Key: imgui.KeyZ}, 1, ""}} {
		got := ""
		if x := table.For(c.e, c.n); x != nil {
			got = x.ID
		}
		if got != c.want {
			t.Errorf("%+v of %d: %q, not %q", c.e, c.n, got, c.want)
		}
	}
}

// A part's commands are the whole's, which cannot be given where there is no such part.
func TestCommandsOfAPart(t *testing.T) {
	type whole struct{ part *int }
	ran := 0
	list := Of([]*Command[*int]{{ID: "set", Run: func(p *int) { *p = 3; ran++ },
		Checked: func(p *int) bool { return *p == 3 }}},
		func(w whole) (*int, bool) { return w.part, w.part != nil })
	c, n := list[0], 0
	if c.Run(whole{}); c.Can(whole{}) || c.Checked(whole{}) || ran > 0 {
		t.Error("it is given without the part")
	}
	if !c.Can(whole{&n}) || c.Checked(whole{&n}) {
		t.Error("it cannot be given, or is on")
	}
	if c.Run(whole{&n}); n != 3 || !c.Checked(whole{&n}) {
		t.Errorf("run, it is %d", n)
	}
}
