package bench

import (
	"bytes"
	"context"
	"encoding/binary"
	"os/exec"
	"strconv"
	"strings"

	"blossom/model/maps/tsne"
)

// gradient times scikit-learn's gradient of t-SNE, theta 0.5, on one thread: of the least of three calls.
const gradient = `
import sys, time
import numpy as np
from sklearn.manifold import _barnes_hut_tsne as bh
n, dims, edges = map(int, sys.argv[1:])
raw = sys.stdin.buffer
take = lambda count, kind: np.frombuffer(raw.read(count * np.dtype(kind).itemsize), kind).copy()
start, column = take(n + 1, "<i8"), take(edges, "<i4").astype(np.int64)
value, y = take(edges, "<f4"), take(n * dims, "<f4").reshape(n, dims)
least = 1e9
for _ in range(3):
    force = np.zeros_like(y)
    t = time.process_time()
    bh.gradient(value, y, column, start, force, 0.5, dims, 0, dof=1, num_threads=1, compute_error=False)
    least = min(least, time.process_time() - t)
print(least * 1e3)
`

// sklearnGradient returns ms, or 0 and why there is no answer.
func sklearnGradient(ctx context.Context, p *tsne.Sparse, y []float32, dims int) (ms float64, why string) {
	var in bytes.Buffer
	for _, part := range []any{p.Start, p.Column, p.Value, y} {
		_ = binary.Write(&in, binary.LittleEndian, part) // to memory
	}
	why = "there is no Python with scikit-learn"
	for _, python := range []string{"python3", "/usr/bin/python3", "python"} {
		c := exec.CommandContext(ctx, python, "-c", gradient, strconv.Itoa(p.N), strconv.Itoa(dims),
			strconv.FormatInt(p.Edges(), 10))
		c.Stdin = bytes.NewReader(in.Bytes())
		answer, err := c.Output()
		if err != nil {
			continue
		}
		if ms, err = strconv.ParseFloat(strings.TrimSpace(string(answer)), 64); err == nil {
			return ms, ""
		}
		why = "scikit-learn here gave no time"
	}
	return 0, why
}
