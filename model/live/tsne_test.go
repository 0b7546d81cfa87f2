package live

import (
	"fmt"
	"testing"

	"blossom/model/embedding"
)

// mapped opens a demo with a t-SNE in sight.
func mapped(t testing.TB, points, dims int) (*desk, *Embedding) {
	t.Helper()
	d := open(t, fmt.Sprintf("demo:cytometry:%d", points))
	d.Show([]embedding.Recipe{embedding.EmbedSOM(), embedding.TSNE(dims)})
	return d, d.Embedding(embedding.TSNE(dims))
}

func TestTSNEFormsByItself(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests step beside frames too")
	}
	d, e := mapped(t, 600, 2)
	d.settle(t)
	r := e.Run()
	if e.Err() != nil || e.Shown() != 600 || !r.Rest || r.Units != 1000 || len(r.Curve) < 50 {
		t.Fatalf("%v, %d shown, %+v", e.Err(), e.Shown(), r)
	}
	if first, last := r.Curve[0].Value, r.Curve[len(r.Curve)-1].Value; !(last < first/2) {
		t.Fatalf("KL from %g to %g", first, last)
	}
	if h := d.Doc.History(); h.Len() != 1 || h.Name(0) != "Run t-SNE" {
		t.Fatalf("%d entries", h.Len())
	}
}
