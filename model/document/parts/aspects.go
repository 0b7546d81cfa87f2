package parts

// Aspects of Landmarks: code is what training changes, places what layouts change.
const (
	code = iota
	places
)
