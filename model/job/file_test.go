package job

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"blossom/model/base/bounded/fuzzing"
	"blossom/model/base/problem"
	"blossom/model/job/run"
	"blossom/model/work/embedding"

	_ "blossom/gpu/reference"
)

// sample is a job with something in each of its fields.
const sample = `{"format": "blossom job", "version": 1,
 "data": [
  {"path":"a.csv","size":12,"rows":3,"sha256":"` + hash + `","reading":{"separator":";","header":"no",` +
	`"missing":["-"],"part":2,"max_points":2,"sample":"random","seed":5}},
  {"path":"b.csv","reading":{}}
 ],
 "match": {"by":"name"},
 "state": {
  "projection": {"version":1,"value":{"K":3,"Boost":2,"Adjust":0.2}}
 },
 "order": ["b","a"],
 "wanted": [
  {"what":"landmarks","som":"4x4","topology":"hex"},
  {"what":"embedding","output":"out.csv","derived":["nearest"]}
 ],
 "seed": 18446744073709551615,
 "engine": {"kind":"cpu","variant":"cpu/go"}
}
`

const hash = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

func TestAJobIsWrittenAsItWasRead(t *testing.T) {
	j, err := Read(strings.NewReader(sample), "s.json")
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := j.Write(&b); err != nil || b.String() != sample {
		t.Errorf("%v: %s", err, b.String())
	}
}

func TestPathsAreOfTheFolderOfTheJob(t *testing.T) {
	j, err := Read(strings.NewReader(strings.Replace(sample, "b.csv", "/b.csv", 1)), "s.json")
	if err != nil {
		t.Fatal(err)
	}
	j.Data = append(j.Data, File{Path: "demo:mammoth"})
	j.In("far")
	got := strings.Join(append(j.Inputs(), j.Outputs()...), " ")
	if got != "far/a.csv /b.csv demo:mammoth far/out.csv" {
		t.Error(got)
	}
}

// Jobs that make no sense are refused in a line with the name of the file, what is wrong, and a remedy.
func TestJobsThatMakeNoSense(t *testing.T) {
	with := func(old, now string) string {
		if !strings.Contains(sample, old) {
			t.Fatalf("no %q in the sample", old)
		}
		return strings.Replace(sample, old, now, 1)
	}
	for text, word := range map[string]string{
		"":                                       "its end is missing",
		"x,y\n1,2\n":                             "not JSON at byte 1",
		"[1,2]":                                  "is not an object",
		"{}":                                     `its format is ""`,
		`{"format": "blossom session"}`:          `"blossom session"`,
		sample[:200]:                             "a job that is damaged: its end is missing",
		with(`"version": 1`, `"version": 2`):     "use a newer blossom",
		with(`"version": 1`, `"version": 1e400`): "its version",
		with(`"version": 1`, `"version": -1`):    "its version",
		with(`"size":12`, `"size":1e400`):        "not a whole number",
		with(`"size":12`, `"size":-1`):           "-1 bytes",
		with(`"seed": 18446744073709551615`, `"seed": null`):         "seed: null is no value",
		with(`"seed": 18446744073709551615`, `"seed": 1, "seed": 2`): `"seed" is there twice`,
		with(`"seed": 18446744073709551615`, `"Seed": 18446`):        "Seed: 18446",
		with(`"rows":3`, `"rows":-3`):                                "-3 rows",
		with(`"rows":3`, `"rows":"many"`):                            "data.rows",
		with(`"seed": 18446744073709551615`, `"seed": -1`):           "a whole number from 0",
		with(`"seed": 18446744073709551615`, `"seed": 1e99`):         "a whole number from 0",
		with(hash, "00"):                                                        "sha256",
		with(`"part":2`, `"part":-2`):                                           "count parts",
		with(`"max_points":2`, `"max_points":-2`):                               "max_points -2",
		with(`"sample":"random"`, `"sample":"last"`):                            `"last"`,
		with(`"separator":";"`, `"separator":"0"`):                              "separator",
		with(`"path":"a.csv"`, `"path":" "`):                                    "no path",
		with(`"path":"b.csv"`, `"path":"b.csv","colour":"red"`):                 `what "colour" would do`,
		with(`"by":"name"`, `"by":"luck"`):                                      `"luck"`,
		with(`"what":"embedding"`, `"what":"hologram"`):                         `"hologram" is something that`,
		with(`"what":"embedding",`, ``):                                         "does not say what",
		with(`"derived":["nearest"]`, `"derived":["joy"]`):                      `"joy"`,
		with(`"derived":["nearest"]`, `"speed":3`):                              `what "speed" would do`,
		with(`out.csv`, `out.xlsx`):                                             "out.xlsx",
		with(`"som":"4x4"`, `"som":"4x4","kmeans":3`):                           "one way",
		with(`"som":"4x4"`, `"kmeans":-3`):                                      "-3 centres",
		with(`"som":"4x4"`, `"som":"0x99999999"`):                               "0x99999999",
		with(`"topology":"hex"`, `"topology":"ring"`):                           "ring",
		`{"format":"blossom job","version":1,"data":[],"wanted":[],"state":{}}`: "no data",
		`{"format":"blossom job","version":1,"data":[{"path":"a","reading":{}}],
			"wanted":[]}`: "nothing is wanted",
		`{"format":"blossom job","version":1,"state":` + strings.Repeat("[", 40) +
			strings.Repeat("]", 40) + "}": "nested more than",
		strings.Repeat("[", 1e6): "nested more than",
		`{"format":"blossom job","version":1,"data":[` + strings.Repeat(`{"path":"a","reading":{}},`, mostItems) +
			`{"path":"a","reading":{}}],"wanted":[{"what":"embedding"}],"state":{}}`: "more than 10000",
	} {
		_, err := Read(strings.NewReader(text), "j.json")
		if err == nil {
			t.Errorf("%.200s: it was read", text)
			continue
		}
		p := problem.As(err)
		if line := err.Error(); !strings.HasPrefix(line, "j.json: ") || !strings.Contains(line, word) ||
			p.Remedy == "" || strings.Contains(line, "\n") || len(line) > 400 || strings.Contains(line, "Go ") {
			t.Errorf("%.80s: %s", text, line)
		}
	}
	large := strings.NewReader(sample + strings.Repeat(" ", mostBytes))
	if _, err := Read(large, "j.json"); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Error(err)
	}
}

// A wrong state is refused when it meets the data.
func TestStatesThatMakeNoSense(t *testing.T) {
	for part, words := range map[string]string{
		`"dreams": {"version":1,"value":{}}`:                `"dreams"`,
		`"projection": {"version":9,"value":{}}`:            "newer program",
		`"projection": {"version":1,"value":{"K":-1}}`:      "k -1 is too small",
		`"projection": {"version":1,"value":{"K":1e400}}`:   "projection",
		`"projection": {"version":1,"value":{"K":{}}}`:      `"object" in K is not a whole number`,
		`"transform": {"version":1,"value":{"columns":[]}}`: "",
		`"transform": {"version":1,"value":{"columns":[{"name":"gone","transform":"none",
			"weight":1}]}}`: "gone",
		`"landmarks": {"version":1,"value":{"format":"blossom landmarks","version":1}}`: "no landmarks",
		`"training": {"version":1,"value":{"algorithm":"prayer"}}`:                      "prayer",
		`"training": {"version":1,"value":{"algorithm":"som","speed":-1}}`:              "training: speed: -1",
		`"clusters": {"version":1,"value":{"metric":"cosin"}}`:                          `clusters: metric: "cosin"`,
		`"clusters": {"version":1,"value":{"metric":7}}`:                                "clusters: metric: 7",
		`"clusters": {"version":1,"value":{"min_samples":-5}}`:                          "clusters: min_samples: -5",
		`"clusters": {"version":1,"value":{"min_samples":1e300}}`:                       "min_samples: 1e+300",
		`"graph": {"version":1,"value":{"kind":"tree","edges":"now and then"}}`:         "now and then",
		`"transform": {"version":1,"value":{"columns":[{"name":"x","transform":"none","weight":1,
			"use":"sometimes"}]}}`: "sometimes",
		`"transform": {"version":1,"value":{"columns":[{"name":"x","transform":"none","weight":1,"use":"in the map"},
			{"name":"x","transform":"none","weight":1,"use":"in the map"}]}}`: "named twice",
	} {
		text := `{"format":"blossom job","version":1,"data":[{"path":"demo:s-sheet:50","reading":{}}],"state":{` +
			part + `},"wanted":[{"what":"landmarks","kmeans":3}],"seed":1}`
		j, err := Read(strings.NewReader(text), "j.json")
		if err == nil {
			_, err = Execute(t.Context(), j, Options{})
		}
		if words == "" {
			continue
		}
		if err == nil || !strings.Contains(err.Error(), words) || problem.As(err).Remedy != fileRemedy ||
			!strings.HasPrefix(err.Error(), "j.json: ") || strings.Contains(err.Error(), "Go ") {
			t.Errorf("%s: %v", part, err)
		}
	}
}

func TestWhatIsWrongWithAWishIsWrongUsageOfACommand(t *testing.T) {
	var usage run.Usage
	if err := (run.Beginning{KMeans: -1}).Check(); !errors.As(err, &usage) {
		t.Error(err)
	}
}

// Whatever is read as a job is one: it is written and read again as the same.
func FuzzRead(f *testing.F) {
	sound := fuzzing.Texts(sample,
		`{"format":"blossom job","version":1,"data":[{"path":"a","reading":{}}],"wanted":[{"what":"embedding"}]}`)
	fuzzing.Target(f, sound, 2000, func(t testing.TB, b []byte) string {
		j, err := Read(bytes.NewReader(b), "f.json")
		if err != nil {
			if p := problem.As(err); p.Remedy == "" || strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q", err)
			}
			return problem.As(err).What
		}
		var first, second bytes.Buffer
		if err := j.Write(&first); err != nil {
			t.Fatal(err)
		}
		again, err := Read(bytes.NewReader(first.Bytes()), "f.json")
		if err != nil {
			t.Fatalf("%v in %s", err, first.String())
		}
		if err := again.Write(&second); err != nil || first.String() != second.String() {
			t.Fatalf("%v: %s, and again %s", err, first.String(), second.String())
		}
		return "read"
	})
}

// A job file is checked as the flags of a command are.
func TestValuesOfRunsAndOutputsOfJobsAreChecked(t *testing.T) {
	job := func(values, outputs string) string {
		return `{"format": "blossom job", "version": 1, "data": [{"path":"a.csv","reading":{}}], "state": {"runs":` +
			`{"version":1,"value":{"` + embedding.Recipe{Kind: "umap", Dims: 2}.Key() + `":{"values":{` + values +
			`}}}}}, "wanted": [` + outputs + `], "seed": 1}`
	}
	state := func(part, value string) string {
		return `{"format": "blossom job", "version": 1, "data": [{"path":"a.csv","reading":{}}], "state": {"` + part +
			`":{"version":1,"value":` + value + `}}, "wanted": [{"what":"landmarks","kmeans":3}], "seed": 1}`
	}
	if _, err := Read(strings.NewReader(state("training", `{"algorithm":"lloyd","values":{"epochs":0.1}}`)),
		"j.json"); err != nil {
		t.Error(err)
	}
	start := `{"what":"tsne","perplexity":5,"start":"","start_file":"a.npy","output":"t.npy"}` // as it was written once
	if _, err := Read(strings.NewReader(job(``, start)), "j.json"); err != nil {
		t.Error(err)
	}
	one := `{"what":"positions","of":{"kind":"umap","dims":2},"output":"u.csv"}`
	if _, err := Read(strings.NewReader(job(`"n-neighbors":30`, one)), "j.json"); err != nil {
		t.Error(err)
	}
	for text, word := range map[string]string{
		job(`"n-neighbors":1e9`, one):                                     "n-neighbors 1e+09",
		job(`"n-neighbors":-3`, one):                                      "n-neighbors -3",
		job(`"n-neighbors":2.5`, one):                                     "whole number",
		job(`"n_neighbors":30`, one):                                      "n_neighbors",
		job(``, one+","+one):                                              "two outputs",
		job(``, strings.Replace(one, `"u.csv"`, `""`, 1)):                 "output is empty",
		job(``, `{"what":"labels","mst_out":""}`):                         "mst_out is empty",
		strings.Replace(job(``, one), "umap/2/", "umap/22", 1):            `"umap/22" is no embedding that runs`,
		strings.Replace(job(``, one), "umap/2/", "umpa/2/", 1):            `"umpa/2/" is no embedding that runs`,
		state("training", `{"algorithm":"lloyd","values":{"epochz":1}}`):  "epochz",
		state("training", `{"algorithm":"lloyd","values":{"epochs":-5}}`): "training: epochs -5",
		state("layout", `{"algorithm":"force","values":{"pull":1}}`):      "layout: it has no parameter",
		job(``, one+`,{"what":"embedding","output":"./u.csv"}`):           "two outputs",
	} {
		_, err := Read(strings.NewReader(text), "j.json")
		if err == nil || !strings.Contains(err.Error(), word) || !strings.Contains(err.Error(), "j.json") ||
			strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", word, err)
		}
	}
}
