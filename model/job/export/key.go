package export

import (
	"context"
	"encoding/json"
	"fmt"
	"image/color"

	"blossom/model/clusters/population"
	"blossom/model/data/dataset"
)

// Keywords that tell of populations, in formats that have such: all of them, as a JSON array of what Key has in its
// rows; and the path and the colour of the one whose rows a file has.
const (
	PopulationsKey      = "BLOSSOM_POPULATIONS"
	PopulationKey       = "BLOSSOM_POPULATION"
	PopulationColourKey = "BLOSSOM_POPULATION_COLOUR"
)

// keyed is what is said of a population.
type keyed struct {
	Number float32 `json:"number"` // which stands for it where labels are numbers
	Path   string  `json:"path"`
	Name   string  `json:"name"`
	Colour string  `json:"colour,omitempty"` // "#rrggbb"
	Points int     `json:"points"`           // rows that it has, with those of populations in it
}

// key tells of all populations, in their order.
func (n *Names) key() []keyed {
	numbers, out := labelNumbers(n.Tree), make([]keyed, n.Tree.Len())
	for i, p := range n.Tree.All() {
		out[i] = keyed{Number: numbers[i], Path: n.Tree.Path(n.Tree.Place(p.ID)), Name: p.Name,
			Points: n.Labels.Sets[i].Count()}
		if n.Colour != nil {
			out[i].Colour = hex(n.Colour(p.Ink))
		}
	}
	return out
}

// labelNumbers are the numbers that stand for populations where labels are numbers.
func labelNumbers(t population.Tree) []float32 {
	names := dataset.Column{}
	for _, p := range t.All() {
		names.Categories = append(names.Categories, p.Name)
	}
	return names.LabelNumbers()
}

// own are the colours of the populations as a column of labels has them; "": they are not known.
func (n *Names) own() string {
	var own []byte
	for _, p := range n.Tree.All() {
		if n.Colour != nil {
			c := n.Colour(p.Ink)
			own = append(own, c.R, c.G, c.B, 255)
		}
	}
	return string(own)
}

// keyText is the key as a keyword has it.
func (n *Names) keyText() string {
	text, err := json.Marshal(n.key())
	if err != nil {
		return "[]" // numbers and texts are always JSON
	}
	return string(text)
}

// Key returns the table of the populations: number, path, name, colour where it is known, and number of rows of each.
func (n *Names) Key(ctx context.Context) (*dataset.Dataset, error) {
	var numbers, points []float32
	var paths, names, colours texts
	for _, k := range n.key() {
		numbers, points = append(numbers, k.Number), append(points, float32(k.Points))
		paths.add(k.Path)
		names.add(k.Name)
		colours.add(k.Colour)
	}
	columns := []dataset.Column{{Name: "number", Values: numbers}, paths.column("path"), names.column("name"),
		colours.column("colour"), {Name: "points", Values: points}}
	if n.Colour == nil {
		columns = append(columns[:3], columns[4])
	}
	return dataset.FromColumns(ctx, "populations", columns)
}

func hex(c color.NRGBA) string { return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B) }
