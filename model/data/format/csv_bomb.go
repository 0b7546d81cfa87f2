package format

// bombWatch looks at how much text comes out of how little of a compressed file. What is left of the file says how
// many rows are to come as long as it is packed as tightly; a file made to exhaust the memory need not be. Where
// text is packed suspiciously tightly, the rows are counted before more of them are kept.
type bombWatch struct {
	r    *textStream
	file *countedReader
	text int64 // since the last look
	from int64 // place in the file at the last look
	once bool
}

const (
	// bombWindow is how much text goes by between two looks.
	bombWindow = 8 << 20
	// bombRatio is how many times smaller than its text a table of measured values is not: 3 to 15 are usual.
	bombRatio = 40
)

// suspects takes so many bytes of text and says, once, that the rows are to be counted.
func (w *bombWatch) suspects(text int) bool {
	if w.text += int64(text); !w.r.packed || w.once || w.text < bombWindow {
		return false
	}
	at := w.file.pos - w.r.ahead()
	w.once = w.text > bombRatio*(at-w.from)
	w.text, w.from = 0, at
	return w.once
}
