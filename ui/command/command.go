// Package command is the table of what the user can tell the program to do. It feeds the menus, the palette, the
// overlay of shortcuts, the key bindings and docs/keys.md, so none of them can disagree.
package command

// Command is one thing that can be told to a subject: the program, or a part of it.
type Command[Subject any] struct {
	ID    string
	Menu  string // "File", "Edit", "View", "Model", "Help", or "" for none
	Title string
	Help  string
	Keys  []string // "Ctrl+Shift+Z", the first is shown
	Icon  string
	Also  string // other words that it is sought by in the palette
	Rule  bool   // a separator above it in the menu
	Below string // the ID of the command above it in the menu, for one that is added to others; "": the last
	// Repeat: a held key repeats the command.
	Repeat bool
	// Anywhere: its keys answer over dialogs and menus and while text is typed, too: it is about the window alone.
	Anywhere bool
	Enabled  func(Subject) bool // nil: always
	Checked  func(Subject) bool // nil: it is no switch
	// Object is what it would be done to now, which menus say behind its title; "" or nil: they say the title alone.
	Object func(Subject) string
	Run    func(Subject)
}

// Of are the commands of a part as those of the whole that has it. Where there is no such part they cannot be given.
func Of[Whole, Part any](commands []*Command[Part], part func(Whole) (p Part, ok bool)) (out []*Command[Whole]) {
	// whether says what the part answers to a question, and no without it.
	whether := func(ask func(Part) bool) func(Whole) bool {
		return func(w Whole) bool {
			p, ok := part(w)
			return ok && (ask == nil || ask(p))
		}
	}
	for _, c := range commands {
		x := &Command[Whole]{ID: c.ID, Menu: c.Menu, Title: c.Title, Help: c.Help, Keys: c.Keys, Icon: c.Icon,
			Also: c.Also, Rule: c.Rule, Below: c.Below, Repeat: c.Repeat, Anywhere: c.Anywhere,
			Enabled: whether(c.Enabled),
			Run: func(w Whole) {
				if p, ok := part(w); ok {
					c.Run(p)
				}
			}}
		if c.Checked != nil {
			x.Checked = whether(c.Checked)
		}
		if c.Object != nil {
			x.Object = func(w Whole) (object string) {
				if p, ok := part(w); ok {
					object = c.Object(p)
				}
				return object
			}
		}
		out = append(out, x)
	}
	return out
}

// Can says whether the command can be given now.
func (c *Command[Subject]) Can(s Subject) bool { return c.Enabled == nil || c.Enabled(s) }

// Key is the shortcut as shown, or "".
func (c *Command[Subject]) Key() string {
	if len(c.Keys) == 0 {
		return ""
	}
	return c.Keys[0]
}

// Tip is the tooltip of a control that stands for the command.
func (c *Command[Subject]) Tip() string {
	if k := c.Key(); k != "" {
		return c.Help + "\t" + k
	}
	return c.Help
}
