package live

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/data/sheet"
	"blossom/model/document/parts"
	"blossom/model/document/state"
)

// Where samples are to count alike, a training gives a small one as much of the map as a large one, and begins anew
// when that is chosen.
func TestSamplesCountAlikeInTraining(t *testing.T) {
	r, text := rand.New(rand.NewPCG(1, 2)), strings.Builder{}
	text.WriteString("a,b,who,donor\n")
	for i := range 2000 {
		at, who := 0.0, "large"
		if i%40 == 0 {
			at, who = 10, "small"
		}
		fmt.Fprintf(&text, "%g,%g,%s,%c\n", at+r.NormFloat64(), at+r.NormFloat64(), who, 'x'+rune(i/40%2))
	}
	name := filepath.Join(t.TempDir(), "two.csv")
	if err := os.WriteFile(name, []byte(text.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, name)
	d.settle(t)
	begin := func() {
		if err := d.Training().Again(); err != nil {
			t.Fatal(err)
		}
	}
	rested := func() (n int) { // landmarks among the points of the small sample, once all is at rest
		d.settle(t)
		l := parts.Landmarks.Of(d.Doc.State())
		middle := float32(0)
		for row := range d.Table().X.Rows {
			middle = max(middle, d.Table().X.Row(row)[0])
		}
		for i := range l.Len() {
			if l.Codebook.Row(i)[0] > middle/2 {
				n++
			}
		}
		return n
	}
	high := func() int {
		begin()
		return rested()
	}
	plain := high()
	d.Doc.Do("Alike", func(s *state.State) {
		parts.Samples.Put(s, sheet.Keyed("who"))
		parts.Training.Edit(s, func(c *parts.TrainingChoice) { c.Even = true })
	})
	even, all := high(), parts.Landmarks.Of(d.Doc.State()).Len()
	if plain*4 > all || even*3 < all || even*3 > 2*all {
		t.Errorf("of %d landmarks %d are in the small sample, %d where samples count alike", all, plain, even)
	}
	begin()
	for range 3 {
		d.frame(t)
	}
	if !d.Training().Run().Active() {
		t.Fatal("the training is over before samples are others")
	}
	d.Doc.Do("Donors", parts.Samples.With(sheet.Keyed("donor")))
	if donors := rested(); donors*4 > all {
		t.Errorf("samples are donors now, which are alike: %d of %d landmarks are in the small sample", donors, all)
	}
	for parts.Training.Of(d.Doc.State()).Even {
		d.Doc.Undo()
	}
	if again := high(); again*4 > all {
		t.Errorf("undone %d of %d landmarks are in the small sample", again, all)
	}
}

// The labels of a sheet are made anew where it changes, and a column that is taken for another name of the table has
// one of its own.
func TestColumnsOfTheSheetFollowIt(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.csv")
	text := "a,b,who,sample: who\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%c,%c\n", i, i*7%11, 'x'+rune(i%2), 'p'+rune(i%3))
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, name)
	d.settle(t)
	s, err := sheet.Keyed("who").Add("who")
	if err != nil {
		t.Fatal(err)
	}
	column := d.Populations().Samples().Column("who")
	if column == "sample: who" {
		t.Fatal("the column has the name of one of the table")
	}
	for _, text := range []string{"case", "ctrl", ""} {
		d.Doc.Do("Cell", parts.Samples.With(s.Set("y", 0, text)))
		d.frame(t)
		c, _, err := d.Column(column)
		if err != nil || c == nil {
			t.Fatalf("there is no column %q: %v", column, err)
		}
		for row, x := range c.Values {
			got := ""
			if x == x {
				got = c.Categories[int(x)]
			}
			want := ""
			if row%2 == 1 {
				want = text
			}
			if got != want {
				t.Fatalf("row %d is %q, %q is wanted", row, got, want)
			}
		}
	}
	d.Doc.Do("None", parts.Samples.With(sheet.Sheet{}))
	if _, _, err := d.Column(column); err == nil {
		t.Error("a column that the sheet has not is there")
	}
}

// A group that was retyped in the sheet is compared no more: a problem names it, until it is there again or another is
// chosen. The column can be chosen all the while.
func TestAGroupThatIsGoneIsNamed(t *testing.T) {
	name := filepath.Join(t.TempDir(), "two.csv")
	text := "a,b,who\n"
	for i := range 60 {
		text += fmt.Sprintf("%d,%d,%c\n", i, i*7%11, 'x'+rune(i%2))
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, name)
	d.settle(t)
	s, err := sheet.Keyed("who").Add("group")
	if err != nil {
		t.Fatal(err)
	}
	s = s.Set("x", 0, "ctrl").Set("y", 0, "case")
	column := d.Populations().Samples().Column("group")
	d.Doc.Do("Compare", func(now *state.State) {
		parts.Samples.Put(now, s)
		parts.Contrast.Put(now, parts.GroupPair{Column: column, A: "ctrl", B: "case"})
	})
	told := func() string {
		d.frame(t)
		if _, _, err := d.Column("difference of groups"); err != nil {
			return err.Error()
		}
		return ""
	}
	if got := told(); got != "" {
		t.Errorf("with both groups there is a problem: %s", got)
	}
	for _, c := range []struct{ sample, text, gone string }{{"x", "control", "ctrl"}, {"x", "ctrl", ""},
		{"y", "cases", "case"}} {
		s = s.Set(c.sample, 0, c.text)
		d.Doc.Do("Retype", parts.Samples.With(s))
		if got := told(); (c.gone != "") != (got != "") || !strings.Contains(got, c.gone) {
			t.Errorf("with %q for %s the problem is %q", c.text, c.sample, got)
		}
		if !d.Populations().Contrast().Can() {
			t.Error("the column cannot be chosen any more")
		}
	}
	d.Doc.Do("Table", parts.Contrast.With(parts.GroupPair{Column: "who", A: "x", B: "z"}))
	if got := told(); !strings.Contains(got, `no group "z"`) {
		t.Errorf("of a column of the table the problem is %q", got)
	}
}
