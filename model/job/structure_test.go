package job

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"blossom/model/base/bounded/hostile"
	"blossom/model/base/problem"
	"blossom/model/data/format"
	"blossom/model/document/opening"
	"blossom/model/document/state"
	"blossom/model/work/embedding"
)

// everything is a job with the state of a document, and all that can be wanted of one map.
func everything(t *testing.T) (text []byte, of *state.Document) {
	t.Helper()
	o, err := opening.Load(t.Context(), []string{"demo:s-sheet:50"}, format.Options{Seed: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	j, err := OfDocument(t.Context(), o.Doc)
	if err != nil {
		t.Fatal(err)
	}
	j.Join = []File{j.Data[0]}
	for _, k := range kinds {
		w := k.New()
		written, _ := w.Paths()
		for i, path := range written {
			*path = fmt.Sprintf("%s%d.npy", k.ID, i)
		}
		umap, three := embedding.Recipe{Kind: "umap", Dims: 2}, 3
		switch w := w.(type) {
		case *Landmarks:
			w.KMeans, w.Output = 9, "l.json"
		case *Labels:
			w.NClusters = &three
		case *Grove:
			w.With, w.Metric = File{Path: "b.csv"}, "euclidean"
		case *Picture:
			w.Output = "p.png"
		case *Report:
			w.Output, w.Picture = "r.html", NewPicture()
		case *Positions:
			w.Rows, w.Of, w.Tables = true, umap, []Table{{"graph-out", "g.csv"}}
		case *Placed:
			w.Of, w.Map, w.Points = umap, "m.csv", []File{{Path: "b.csv"}}
		}
		if err := w.Check(); err != nil {
			t.Fatalf("%s: %v", k.ID, err)
		}
		j.Wanted = append(j.Wanted, w)
	}
	var b bytes.Buffer
	if err := j.Write(&b); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(bytes.NewReader(b.Bytes()), "j.json"); err != nil || len(j.State) < 3 {
		t.Fatalf("%v: %s", err, b.String())
	}
	return b.Bytes(), o.Doc
}

// Whatever a job says may be deep, many, huge or of another kind: it is refused with a reason, or read as it is said,
// and takes no more than so much memory.
func TestJobsThatAreHostileByStructure(t *testing.T) {
	const most = 300 << 20
	text, doc := everything(t)
	from, r := hostile.Parse(text), rand.New(rand.NewPCG(1, 2))
	for i := range hostile.Number(12) {
		c := from.Case(3*i, r) // ways of every sort, also where they are few
		held := hostile.Held(func() {
			j, err := Read(bytes.NewReader(c.Text), "j.json")
			if err == nil {
				_, _, err = state.Decode(j.State, state.Context{Data: doc.Data, Seed: j.Seed, File: "j.json",
					Strict: true, Arrays: state.InMemory{}})
			}
			if err == nil {
				return
			}
			p := problem.As(err)
			if p.What == "" || p.Remedy == "" || len(p.What) > 2000 || strings.Contains(p.What, "json:") {
				t.Errorf("%s: %.300q, %.300q", c.Name, p.What, p.Remedy)
			}
		})
		if held > most {
			t.Errorf("%s: %d MB for %d kB of text", c.Name, held>>20, len(c.Text)>>10)
		}
	}
}
