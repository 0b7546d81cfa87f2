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
	k.w.UI().KeyTable(k.rows)
	return nil
}
