package scale

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"blossom/model/base/problem"
)

// Tasks of an array are all parts that are missing, each once.
func TestRangesNameEachPart(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		base := rapid.IntRange(0, 5).Draw(t, "base") * mostTasks
		parts := rapid.SliceOfNDistinct(rapid.IntRange(base, base+mostTasks-1), 1, 60, rapid.ID).Draw(t, "parts")
		slices.Sort(parts)
		var again []int
		for _, r := range strings.Split(ranges(parts, base), ",") {
			from, to, more := strings.Cut(r, "-")
			a, err := strconv.Atoi(from)
			b := a
			if more {
				b, err = strconv.Atoi(to)
			}
			if err != nil {
				t.Fatal(err)
			}
			for ; a <= b; a++ {
				again = append(again, a+base)
			}
		}
		if !slices.Equal(again, parts) {
			t.Fatalf("%v became %q", parts, ranges(parts, base))
		}
	})
}

// A shell gives words back as they were, whatever is in them.
func TestQuotedWordsAreThoseOfTheShell(t *testing.T) {
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no shell here")
	}
	for _, word := range []string{"", "a b", "it's", "$(touch x)", "`id`", "a\nb", `"\'`, "größe,1", "--x", "*"} {
		out, err := exec.Command(sh, "-c", "printf %s "+quoted(word)).Output()
		if err != nil || string(out) != word {
			t.Errorf("%q became %q (%v)", word, out, err)
		}
	}
}

// The number of a part comes from whatever scheduler there is, in its way of counting.
func TestShardsAreThoseOfTheScheduler(t *testing.T) {
	for _, v := range shardVariables {
		t.Setenv(v.name, "")
	}
	if _, err := ShardOf("auto", 4); err == nil || !strings.Contains(err.Error(), "SLURM_ARRAY_TASK_ID") {
		t.Errorf("without a scheduler: %v", err)
	}
	for _, v := range shardVariables {
		for i := -1; i <= 4; i++ {
			t.Setenv(v.name, fmt.Sprint(i+v.from))
			part, err := ShardOf("auto", 4)
			if inside := i >= 0 && i < 4; (err == nil) != inside || inside && part != i {
				t.Errorf("%s=%d is part %d (%v)", v.name, i+v.from, part, err)
			}
		}
		for _, word := range []string{"x", "1e9", "99999999999999999999", "1 2"} {
			t.Setenv(v.name, word)
			if _, err := ShardOf("auto", 4); err == nil {
				t.Errorf("%s=%q is a part", v.name, word)
			}
		}
		t.Setenv(v.name, "")
	}
	for i := range 3 {
		if part, err := ShardOf(fmt.Sprintf("%d/3", i), 3); err != nil || part != i {
			t.Errorf("%d/3 is %d (%v)", i, part, err)
		}
	}
}

// Every word that chooses a runner finds one, and no other does.
func TestRunnersAreFoundByTheirWords(t *testing.T) {
	for _, word := range Runners() {
		word = strings.Replace(word, "HOST:PORT", "node-7:8099", 1)
		r, kind, err := RunnerOf(word)
		if err != nil {
			t.Error(err)
		} else if again := strings.TrimSuffix(r.ID+":"+kind, ":"); again != word {
			t.Errorf("%q finds %q", word, again)
		}
	}
	for _, word := range []string{"", "print", "print:", "local:", "local:1", "slurm:x", "Local", "print:k8s:x"} {
		if _, _, err := RunnerOf(word); err == nil {
			t.Errorf("%q is a runner", word)
		}
	}
}

// Plans and manifests of other programs, versions or minds are refused in one line.
func TestPlansThatAreNone(t *testing.T) {
	head := `{"format":"blossom plan","version":1,"program":"p","fingerprint":"f","output":".npy",`
	jobs := `"jobs":[{"format":"blossom job","version":1,"data":[{"path":"shard.npy","reading":{}}],"state":{},` +
		`"wanted":[{"what":"embedding","output":"part.npy"}],"seed":1}]}`
	for name, text := range map[string]string{
		"empty": "", "no JSON": "x", "a list": "[]", "another file": `{"format":"blossom job","version":1}`,
		"newer": `{"format":"blossom plan","version":2}`, "a field too many": head + `"x":1,"shards":[],"jobs":[]}`,
		"no parts":     head + `"shards":[],` + jobs,
		"no jobs":      head + `"shards":[{"path":"a.npy","size":1,"written":"","rows":1}],"jobs":[]}`,
		"no such job":  head + `"shards":[{"path":"a.npy","size":1,"written":"","rows":1,"job":1}],` + jobs,
		"less than no": head + `"shards":[{"path":"a.npy","size":1,"written":"","rows":-1}],` + jobs,
		"elsewhere": strings.Replace(head, ".npy", "/../../x.npy", 1) +
			`"shards":[{"path":"a.npy","size":1,"written":"","rows":1}],` + jobs,
		"not an embedding": head + `"shards":[{"path":"a.npy","size":1,"written":"","rows":1}],` +
			strings.Replace(jobs, `"embedding"`, `"table"`, 1),
		"no wish": head + `"shards":[{"path":"a.npy","size":1,"written":"","rows":1}],` +
			strings.Replace(jobs, `"wanted":[{"what":"embedding","output":"part.npy"}]`, `"wanted":[]`, 1),
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, PlanFile), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		p, err := Open(dir)
		if err == nil {
			t.Errorf("%s: %+v was opened", name, p)
			continue
		}
		if said := problem.As(err).Error(); strings.Contains(said, "\n") || !strings.Contains(said, PlanFile) {
			t.Errorf("%s: %q", name, said)
		}
	}
}
