package widget

import "testing"

// A phrase becomes a sentence, and a name of a file at its beginning stays as the file is called.
func TestSentencesKeepTheNamesOfFiles(t *testing.T) {
	for _, c := range []struct{ phrase, name, want string }{
		{"", "", ""},
		{"it is not there", "", "It is not there."},
		{"is it there?", "", "Is it there?"},
		{"patient.fcs has none of the columns", "", "patient.fcs has none of the columns."},
		{"patient.fcs", "", "patient.fcs."},
		{"öl und wasser", "", "Öl und wasser."},
		{"my cells are gone", "my cells", "my cells are gone."},
		{"wrong. it ends", "", "Wrong. it ends."},
		{"data/mine is gone", "", "data/mine is gone."},
	} {
		if got := Sentence(c.phrase, c.name); got != c.want {
			t.Errorf("%q became %q, not %q", c.phrase, got, c.want)
		}
	}
}
