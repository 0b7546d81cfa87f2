package widget

// Broken is a text as it is drawn in several lines.
func Broken(u *UI, s string, width float32) string { return u.broken(Body, s, width) }
