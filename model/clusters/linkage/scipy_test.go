package linkage

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// scipy runs a script in the Python that BLOSSOM_SCIPY names, with points on standard input and a list of numbers on
// standard output.
func scipy(t *testing.T, script string, in any) (out []float64) {
	t.Helper()
	python := os.Getenv("BLOSSOM_SCIPY")
	if python == "" {
		t.Skip("BLOSSOM_SCIPY does not name a Python with SciPy")
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(python, "-c", "import json,sys\nimport numpy as np\nfrom scipy.cluster.hierarchy import *\n"+
		"d=json.load(sys.stdin)\n"+script)
	cmd.Stdin = strings.NewReader(string(text))
	cmd.Stderr = os.Stderr
	got, err := cmd.Output()
	if err == nil {
		err = json.Unmarshal(got, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// SciPy's own linkage and fcluster of the same points.
func TestAgainstSciPy(t *testing.T) {
	x := cloud(600, 6, 8)
	for _, c := range []struct {
		metric Metric
		name   string
	}{{Euclidean, "euclidean"}, {Cosine, "cosine"}, {L1, "cityblock"}} {
		var table [][]float32
		for i := range x.Rows {
			table = append(table, x.Row(i))
		}
		l, _ := cluster(t, x, Options{Metric: c.metric})
		want := scipy(t, "Z=linkage(np.array(d['x'],np.float32).astype(float),'single',d['metric'])\n"+
			"print(json.dumps(Z[:,2].tolist()))", map[string]any{"x": table, "metric": c.name})
		for i, h := range want {
			if d := math.Abs(l.Z.Height(i) - h); d > float64(x.Cols+4)*0x1p-53*h && (c.metric != Cosine || d > 1e-15) {
				t.Fatalf("%s: height %d is %v, and SciPy's %v", c.name, i, l.Z.Height(i), h)
			}
		}
		cut, err := l.Z.CutNumber(l.Len(), 12)
		if err != nil {
			t.Fatal(err)
		}
		labels := scipy(t, "Z=np.array(d['z']).reshape(-1,4)\nassert is_valid_linkage(Z)\n"+
			"print(json.dumps(fcluster(Z,12,'maxclust').tolist()))", map[string]any{"z": l.Z})
		names := make([]int32, len(labels))
		for i, v := range labels {
			names[i] = int32(v)
		}
		for i, label := range labelled(names, 0).Labels {
			if label != cut.Labels[i] {
				t.Fatalf("%s: label %d is %d, and SciPy's %d", c.name, i, cut.Labels[i], label)
			}
		}
	}
}
