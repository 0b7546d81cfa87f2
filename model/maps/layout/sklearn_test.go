package layout

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"testing"

	"blossom/model/base/matrix"
	"blossom/model/maps/tsne"
)

// sklearn runs a script of Python, which finds x and y, lists of rows, and prints a number. Where there is no
// scikit-learn the test is skipped.
func sklearn(t *testing.T, script string, x, y matrix.Matrix32) (out float64) {
	t.Helper()
	if err := exec.Command("python3", "-c", "import sklearn, scipy").Run(); err != nil {
		t.Skip("python3 with scikit-learn is not here")
	}
	rows := func(m matrix.Matrix32) (out [][]float32) {
		for i := range m.Rows {
			out = append(out, m.Row(i))
		}
		return out
	}
	text, err := json.Marshal([][][]float32{rows(x), rows(y)})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command("python3", "-c",
		"import sys, json, numpy as np\nx, y = (np.array(v, dtype=float) for v in json.load(sys.stdin))\n"+script)
	var said bytes.Buffer
	c.Env = append(os.Environ(), "OMP_NUM_THREADS=1", "OPENBLAS_NUM_THREADS=1")
	c.Stdin, c.Stderr = bytes.NewReader(text), &said
	answer, err := c.Output()
	if err == nil {
		err = json.Unmarshal(answer, &out)
	}
	if err != nil {
		t.Fatalf("%v: %s%s", err, answer, said.String())
	}
	return out
}

// From the same start, stress ends no higher than that of scikit-learn's SMACOF. Stress is compared as a part of the
// squares of all distances, at the scale that is best for each map.
func TestStressAgainstSklearn(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		in := clustered(120, 8, dims, 31)
		want := sklearn(t, `
from sklearn.manifold import smacof
from scipy.spatial.distance import pdist, squareform
d = pdist(x)
z, s = smacof(squareform(d), n_components=y.shape[1], init=y * d.mean() / pdist(y).mean(), n_init=1, max_iter=3000,
    eps=1e-9, normalized_stress=False)
e = pdist(z)
print(1 - (d @ e) ** 2 / (d @ d) / (e @ e))`, in.Codebook, in.Pos)
		a, _ := ByID("mds")
		l := start(t, a, in)
		advance(t, l, 5000)
		var de, dd, ee float64
		for i := range 120 {
			for j := range i {
				d, e := distance(in.Codebook, i, j), distance(l.Pos(), i, j)
				de += d * e
				dd += d * d
				ee += e * e
			}
		}
		got := 1 - de*de/dd/ee
		t.Logf("%dD: stress %.5f, scikit-learn %.5f", dims, got, want)
		if got > 1.1*want+0.002 {
			t.Errorf("%dD: stress %g, scikit-learn %g", dims, got, want)
		}
	}
}

func distance(m matrix.Matrix32, i, j int) float64 {
	sum := 0.0
	for c, v := range m.Row(i) {
		d := float64(v) - float64(m.Row(j)[c])
		sum += d * d
	}
	return math.Sqrt(sum)
}

// Exact t-SNE ends no worse than scikit-learn's.
func TestTSNEAgainstSklearn(t *testing.T) {
	for dims := 2; dims <= 3; dims++ {
		in := clustered(200, 8, dims, 32)
		want := sklearn(t, `
from sklearn.manifold import TSNE
m = TSNE(n_components=y.shape[1], perplexity=30, method="exact", init="pca", learning_rate="auto", random_state=1)
m.fit(x)
print(m.kl_divergence_)`, in.Codebook, in.Pos)
		o := tsne.Defaults()
		o.Dims = dims
		r, err := tsne.Exactly(t.Context(), in.Codebook, o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := r.Step(t.Context(), 1000); err != nil {
			t.Fatal(err)
		}
		var f tsne.Evaluation
		if err := r.Evaluate(t.Context(), &f); err != nil {
			t.Fatal(err)
		}
		t.Logf("%dD: KL %.4f, scikit-learn %.4f", dims, f.KL, want)
		if f.KL > 1.03*want+0.005 {
			t.Errorf("%dD: KL %g, scikit-learn %g", dims, f.KL, want)
		}
	}
}
