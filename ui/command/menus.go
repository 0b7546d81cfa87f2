package command

import (
	"blossom/ui/widget"
)

// Menus draws commands where they are given by a click.
type Menus[Subject any] struct {
	UI      *widget.UI
	Subject Subject
	Table   func() Table[Subject]
	// Below draws what else a menu has below the command of an ID; nil: nothing.
	Below func(id string)
}

// Draw draws the commands of a menu, in the order of the table.
func (m *Menus[Subject]) Draw(menu string) {
	for _, c := range m.Table() {
		if c.Menu != menu {
			continue
		}
		if c.Rule {
			m.UI.MenuSeparator()
		}
		m.item(c)
		if m.Below != nil {
			m.Below(c.ID)
		}
	}
}

// Items draws commands by their IDs in an open menu.
func (m *Menus[Subject]) Items(ids ...string) {
	t := m.Table()
	for _, id := range ids {
		m.item(t.ByID(id))
	}
}

func (m *Menus[Subject]) item(c *Command[Subject]) {
	title := c.Title
	if c.Object != nil {
		if object := c.Object(m.Subject); object != "" {
			title += ": " + object
		}
	}
	o := widget.MenuOpts{Shortcut: c.Key(), Icon: c.Icon, Disabled: !c.Can(m.Subject), Tip: c.Help}
	if c.Checked != nil {
		o.Checked = c.Checked(m.Subject)
	}
	if m.UI.MenuItem(title+"##"+c.ID, o) {
		c.Run(m.Subject)
	}
}

// Tool draws a command as a button of a strip.
func (m *Menus[Subject]) Tool(c *Command[Subject], tip string) {
	if m.UI.Tool(c.ID, c.Icon, tip+"\t"+c.Key(), c.Checked != nil && c.Checked(m.Subject), !c.Can(m.Subject)) {
		c.Run(m.Subject)
	}
}
