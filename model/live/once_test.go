package live

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"blossom/model/work/embedding"
)

// Few points of many columns take long to bring into their principal components: that is no work of a frame.
func TestManyColumnsAreNoWorkOfAFrame(t *testing.T) {
	if testing.Short() {
		t.Skip("long, and shorter tests run the same things side by side")
	}
	r := rand.New(rand.NewPCG(1, 2))
	var b strings.Builder
	for row := range 401 {
		for c := range 400 {
			if c > 0 {
				b.WriteByte(',')
			}
			if row == 0 {
				fmt.Fprintf(&b, "c%d", c)
			} else {
				fmt.Fprintf(&b, "%.3f", r.NormFloat64())
			}
		}
		b.WriteByte('\n')
	}
	name := filepath.Join(t.TempDir(), "wide.csv")
	if err := os.WriteFile(name, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
	d := open(t, name)
	d.Show([]embedding.Recipe{embedding.PCA(2)})
	d.frame(t)
	if jobs := d.Values.Jobs.List(); len(jobs) != 1 || !strings.Contains(jobs[0].Title, "PCA") {
		t.Fatalf("%d jobs after a frame", len(jobs))
	}
	d.settle(t)
	computed(t, d, d.Embedding(embedding.PCA(2)))
}
