package dialog

// Keys lists keys and what they do: title and key of each.
var Keys = Register(Kind[[][2]string]{ID: "keys", Title: "Keys and mouse", Width: 1180,
	New: func(w Window, rows [][2]string) Dialog { return &keys{w, rows} }})

type keys struct {
	w    Window
	rows [][2]string
}

func (k *keys) Face() (Face, bool) { return Face{}, true }

func (k *keys) Draw() func() {
	u := k.w.UI()
	room := u.Window().H()*0.92 - u.Pt(100)
	if u.KeyTableHeight(len(k.rows)) <= room {
		u.KeyTable(k.rows)
		return nil
	}
	u.Sheet("keys", max(room, u.Pt(120)), func() { u.KeyTable(k.rows) })
	return nil
}
