package parts

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/data/dataset"
	"blossom/model/document/state"
	"blossom/model/space/transform"
)

// A document is saved where the revisions of its parts say so, and none is ever used again: whatever was done, undone
// and done otherwise, equal stamps are equal sessions, byte for byte.
func TestEqualStampsAreEqualSessions(t *testing.T) {
	data, err := dataset.FromColumns(context.Background(), "d.csv", []dataset.Column{
		{Name: "a", Values: []float32{1, 2, 3}}, {Name: "b", Values: []float32{5, 3, 8}}})
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		var now state.State
		Transform.Put(&now, transform.Default(data))
		l := set(4)
		l.Space = Transform.Rev(now)
		Landmarks.Put(&now, l)
		d := state.New(data, "", 1, now)
		seen := map[state.Stamp]string{}
		// Steps with few outcomes, so that the same content comes about in many ways.
		step := rapid.SampledFrom([]string{"name", "pin", "speed", "move", "train", "look", "show", "undo", "redo"})
		for n := range rapid.IntRange(1, 30).Draw(t, "steps") {
			what, i := step.Draw(t, "step"), rapid.IntRange(0, 1).Draw(t, "which")
			switch now := Landmarks.Of(d.State()); what {
			case "name":
				if l, err := now.Rename(i, fmt.Sprint("name ", i)); err == nil {
					d.Do(what, func(s *state.State) { Landmarks.Put(s, l) })
				}
			case "pin":
				if l, err := now.Pin([]int{i}, n%2 == 0); err == nil {
					d.Do(what, func(s *state.State) { Landmarks.Put(s, l) })
				}
			case "speed":
				d.Do(what, func(s *state.State) {
					Training.Edit(s, func(c *TrainingChoice) { c.Speed = float64(i) })
				})
			case "move":
				d.Do(what, func(s *state.State) { Landmarks.Put(s, moved(Landmarks.Of(*s), i, 1)) })
			case "train":
				StartTraining(d, what)
				Trained(d, trained(now, 1))
			case "look":
				d.Do(what, larger)
			case "show":
				d.Look(func(s *state.State) {
					Views.Edit(s, func(l *ViewList) {
						*l = l.Edit(FirstView, func(v *View) { v.Legend = i == 0 })
					})
				})
			case "undo":
				d.Undo()
			case "redo":
				d.Redo()
			}
			parts, err := d.Encode(state.Context{})
			if err != nil {
				t.Fatal(err)
			}
			text, err := json.Marshal(parts)
			if err != nil {
				t.Fatal(err)
			}
			stamp := d.State().Stamp(true)
			if was, ok := seen[stamp]; ok && was != string(text) {
				t.Fatalf("after %s: one stamp for\n%s\nand\n%s", what, was, text)
			}
			seen[stamp] = string(text)
		}
	})
}
