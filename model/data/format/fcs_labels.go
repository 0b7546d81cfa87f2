package format

import (
	"encoding/json"
	"fmt"
	"strings"

	"blossom/model/data/dataset"
)

// FCS itself has only numbers. A column of labels is written as their numbers (dataset.LabelNumbers), 0 for none, and
// a keyword of blossom's own says what each is called.

// labelsKeyword is the keyword of column n, counted from 1.
func labelsKeyword(n int) string { return fmt.Sprintf("BLOSSOM P%d LABELS", n) }

// roleKeyword is the keyword of column n for a role that its numbers do not show: "ROLE,NAME". Another program may put
// columns elsewhere and keep the keyword, which then holds for none.
func roleKeyword(n int) string { return fmt.Sprintf("BLOSSOM P%d ROLE", n) }

// restoreRoles gives columns the roles that blossom noted.
func restoreRoles(columns []dataset.Column, t *fcsText) {
	for i := range columns {
		text, _ := t.get(roleKeyword(i + 1))
		if role, name, _ := strings.Cut(text, ","); name == columns[i].Name {
			columns[i].TakeRole(role)
		}
	}
}

// categoriesKeyword is that of blossom before 0.6: a JSON array of names, to which the values are indices from 0, NaN
// for none.
func categoriesKeyword(n int) string { return fmt.Sprintf("BLOSSOM P%d CATEGORIES", n) }

// labelled is a label as the keyword has it.
type labelled struct {
	Number float32 `json:"number"`
	Name   string  `json:"name"`
}

// labelsText is a JSON array with the number and the name of each label, in the order of the categories.
func labelsText(c *dataset.Column) string {
	list := make([]labelled, len(c.Categories))
	for i, n := range c.LabelNumbers() {
		list[i] = labelled{n, c.Categories[i]}
	}
	text, err := json.Marshal(list)
	if err != nil {
		return "[]" // numbers and texts are always JSON
	}
	return string(text)
}

// restoreLabels makes label columns of those that blossom wrote as numbers, with their names. Values that the keyword
// does not name are those of another program: the column is left as it is.
func restoreLabels(columns []dataset.Column, t *fcsText) {
	for i := range columns {
		names, at := namedLabels(t, i+1)
		if len(names) == 0 {
			continue
		}
		c := &columns[i]
		values := make([]float32, len(c.Values))
		fits := true
		for k, x := range c.Values {
			place, known := at[x]
			if values[k] = place; !known {
				if values[k] = nan32; x == x && x != 0 {
					fits = false
					break
				}
			}
		}
		if fits {
			c.Categories, c.Values, c.Exact = names, values, nil
		}
	}
}

// namedLabels returns the names of the labels of column n and which of them a number stands for; none where no
// keyword says so.
func namedLabels(t *fcsText, n int) (names []string, at map[float32]float32) {
	at = map[float32]float32{}
	if v, _ := t.get(labelsKeyword(n)); v != "" {
		var list []labelled
		if json.Unmarshal([]byte(v), &list) != nil {
			return nil, nil
		}
		for i, l := range list {
			names = append(names, l.Name)
			at[l.Number] = float32(i)
		}
		return names, at
	}
	if v, _ := t.get(categoriesKeyword(n)); v == "" || json.Unmarshal([]byte(v), &names) != nil {
		return nil, nil
	}
	for i := range names {
		at[float32(i)] = float32(i)
	}
	return names, at
}
