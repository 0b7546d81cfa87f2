package job

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"blossom/model/base/bounded"
	"blossom/model/base/pattern"
	"blossom/model/base/problem"
	"blossom/model/data/match"
	"blossom/model/data/source"
	"blossom/model/document/session"
	"blossom/model/document/state"
)

const (
	fileFormat  = "blossom job"
	fileVersion = 1
	fileRemedy  = "give a job that --print-job has printed"
	tornRemedy  = "have it printed again, or, of a folder of parts, mended: blossom resume FOLDER"
)

// torn is how a job begins.
var torn = regexp.MustCompile(`^\s*\{\s*"format"\s*:\s*"blossom job"`)

// A job may be this much at most: more is none, and would only take memory.
const (
	mostBytes = 64 << 20
	mostDeep  = 32
	mostItems = 10_000 // files, parts, things wanted
)

// disk is the object as it is stored.
type disk struct {
	Format  string                   `json:"format"`
	Version int                      `json:"version"`
	Data    []File                   `json:"data"`
	Match   *match.How               `json:"match,omitempty"`
	Join    []File                   `json:"join,omitempty"`
	Subset  *session.Subset          `json:"subset,omitempty"`
	State   map[string]state.Encoded `json:"state"`
	Order   []string                 `json:"order,omitempty"`
	Wanted  []json.RawMessage        `json:"wanted"`
	Seed    uint64                   `json:"seed"`
	Engine  *Engine                  `json:"engine,omitempty"`
}

// Write writes the job as one JSON object, a line for each file, part and thing wanted.
func (j *Job) Write(w io.Writer) error {
	var b bytes.Buffer
	var failed error
	put := func(v any) {
		text, err := unescaped(v)
		failed = errors.Join(failed, err)
		b.Write(text)
	}
	list := func(name string, brackets string, n int, item func(i int)) {
		fmt.Fprintf(&b, ",\n %q: %c", name, brackets[0])
		for i := range n {
			b.WriteString(map[bool]string{true: "\n  ", false: ",\n  "}[i == 0])
			item(i)
		}
		if n > 0 {
			b.WriteString("\n ")
		}
		b.WriteByte(brackets[1])
	}
	field := func(name string, v any) {
		fmt.Fprintf(&b, ",\n %q: ", name)
		put(v)
	}
	fmt.Fprintf(&b, "{\"format\": %q, \"version\": %d", fileFormat, fileVersion)
	list("data", "[]", len(j.Data), func(i int) { put(j.Data[i]) })
	if len(j.Match.Own) > 0 || j.Match.Common || j.Match.By != "" && len(j.Data) > 1 {
		field("match", j.Match)
	}
	if len(j.Join) > 0 {
		list("join", "[]", len(j.Join), func(i int) { put(j.Join[i]) })
	}
	if j.Subset != nil {
		field("subset", j.Subset)
	}
	parts := sorted(j.State)
	list("state", "{}", len(parts), func(i int) {
		put(parts[i])
		b.WriteString(": ")
		put(j.State[parts[i]])
	})
	if len(j.Order) > 0 {
		field("order", j.Order)
	}
	list("wanted", "[]", len(j.Wanted), func(i int) {
		text, err := encodeWant(j.Wanted[i])
		failed = errors.Join(failed, err)
		b.Write(text)
	})
	field("seed", j.Seed)
	if j.Engine != (Engine{}) {
		field("engine", j.Engine)
	}
	b.WriteString("\n}\n")
	if failed != nil {
		return problem.Wrap(failed, "", "report this", "the job cannot be written: %v", failed)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// unescaped is JSON with <, > and & as they are.
func unescaped(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(v)
	return bytes.TrimSpace(b.Bytes()), err
}

// encodeWant is the JSON of what is wanted: "what" comes first.
func encodeWant(w Want) ([]byte, error) {
	text, err := unescaped(w)
	if err != nil {
		return nil, err
	}
	head := fmt.Sprintf("{%q:%q", "what", w.What())
	if string(text) == "{}" {
		return []byte(head + "}"), nil
	}
	return append([]byte(head+","), text[1:]...), nil
}

// Read reads what Write has written; name is used in errors, which are Problems, one line each.
func Read(r io.Reader, name string) (*Job, error) {
	text, err := io.ReadAll(io.LimitReader(r, mostBytes+1))
	if err != nil {
		return nil, problem.Wrap(err, name, "check the file and try again", "the job cannot be read (%v)", err)
	}
	bad := func(remedy, format string, args ...any) error { return problem.New(name, remedy, format, args...) }
	if len(text) > mostBytes {
		return nil, bad(fileRemedy, "it is larger than %d MB, which no job is", mostBytes>>20)
	}
	if depth(text) > mostDeep {
		return nil, bad(fileRemedy, "it is nested more than %d deep, which no job is", mostDeep)
	}
	var head struct {
		Format  string      `json:"format"`
		Version json.Number `json:"version"`
	}
	if err := bounded.Unmarshal(text, &head); err != nil {
		if torn.Match(text) {
			return nil, bad(tornRemedy, "it is a job that is damaged: %s", bounded.Flaw(err))
		}
		return nil, bad(fileRemedy, "it is no job: %s", bounded.Flaw(err))
	}
	if head.Format != fileFormat {
		return nil, bad(fileRemedy, "it is no job: its format is %.40q", head.Format)
	}
	if v, err := head.Version.Int64(); err != nil || v < 1 {
		return nil, bad(fileRemedy, "its version %.20q is none", head.Version.String())
	} else if v > fileVersion {
		return nil, bad("use a newer blossom", "a job of version %d, this program knows %d", v, fileVersion)
	}
	if name := bounded.Twice(text); name != "" {
		return nil, bad("leave one of them out", "%.60q is there twice", name)
	}
	var d disk
	if err := bounded.Strict(text, &d); err != nil {
		return nil, bad(remedyOf(err), "it makes no sense: %s", bounded.Flaw(err))
	}
	j := &Job{name: name, Data: d.Data, Join: d.Join, Subset: d.Subset, State: d.State, Order: d.Order, Seed: d.Seed}
	if d.Match != nil {
		j.Match = *d.Match
	}
	if d.Engine != nil {
		j.Engine = *d.Engine
	}
	for i, raw := range d.Wanted {
		w, err := decodeWant(raw)
		if err != nil {
			p := problem.As(err)
			return nil, bad(p.Remedy, "wanted, number %d: %s", i+1, p.What)
		}
		j.Wanted = append(j.Wanted, w)
	}
	if err := j.checkAsRead(text); err != nil {
		return nil, err
	}
	return j, nil
}

// checkAsRead says what is wrong with a job that was read from a text, in the words of that: the program would do
// something else than it says, or cannot do it.
func (j *Job) checkAsRead(text []byte) error {
	var again bytes.Buffer
	if err := j.Write(&again); err != nil {
		return err
	}
	if flaw := bounded.Kept(text, again.Bytes()); flaw != "" {
		return problem.New(j.name, "leave it out, or give what can be", "%s", flaw)
	}
	err := j.Check()
	if err == nil {
		return nil
	}
	p := problem.As(err)
	what := inFields(p.What)
	if p.File != "" {
		what = p.File + ": " + what
	}
	if r := []rune(what); len(r) > mostSaid {
		what = string(r[:mostSaid/2]) + "…" + string(r[len(r)-mostSaid/2:])
	}
	return problem.New(j.name, inFields(p.Remedy), "%s", what)
}

// mostSaid is how many letters of a job are quoted where something is wrong with it.
const mostSaid = 600

var flag = pattern.Of(`--[a-z]+(-[a-z]+)*`)

// inFields names the fields of a job in the place of the flags that they are on a command line.
func inFields(text string) string {
	return flag().ReplaceAllStringFunc(text, func(name string) string { return strings.ReplaceAll(name[2:], "-", "_") })
}

// Check says what is wrong with the job itself, before any file is touched.
func (j *Job) Check() error {
	switch {
	case len(j.Data) == 0:
		return problem.New("", "name a file or more under data", "it has no data")
	case len(j.Wanted) == 0:
		return problem.New("", "name something under wanted: "+problem.OneOf(wantable()...), "nothing is wanted")
	case max(len(j.Data), len(j.Join), len(j.Wanted), len(j.State), len(j.Order)) > mostItems:
		return problem.New("", "make several jobs of it", "more than %d files, parts or things that are wanted",
			mostItems)
	}
	for _, f := range j.all() {
		if err := f.check(); err != nil {
			return err
		}
	}
	if err := j.Match.Check(); err != nil {
		return err
	}
	if err := source.Once(j.Inputs()); err != nil {
		return err
	}
	for _, w := range j.Wanted {
		if err := w.Check(); err != nil {
			p := problem.As(err)
			return problem.Wrap(err, p.File, p.Remedy, "%s: %s", w.What(), p.What)
		}
	}
	if err := j.checkOutputs(); err != nil {
		return err
	}
	return j.checkParameters()
}

// checkOutputs refuses two outputs with one name: the second would take the place of the first.
func (j *Job) checkOutputs() error {
	seen := map[string]bool{}
	for _, path := range j.Outputs() {
		name := filepath.Clean(path)
		if seen[name] && path != os.DevNull {
			return problem.New(path, "give each output a name of its own", "two outputs have this name")
		}
		seen[name] = true
	}
	return nil
}

func decodeWant(raw json.RawMessage) (Want, error) {
	fields := map[string]json.RawMessage{}
	if err := bounded.Unmarshal(raw, &fields); err != nil {
		return nil, problem.New("", fileRemedy, "%s", bounded.Flaw(err))
	}
	what := ""
	if err := json.Unmarshal(fields["what"], &what); err != nil {
		return nil, problem.New("", "say what: "+problem.OneOf(wantable()...), "it does not say what is wanted")
	}
	delete(fields, "what")
	for _, name := range sorted(fields) {
		if string(fields[name]) == `""` && (name == "output" || strings.HasSuffix(name, "_out")) {
			return nil, problem.New("", "leave it out, or name a file", "%.60s: %.60s is empty", what, name)
		}
	}
	for _, k := range kinds {
		if k.ID != what {
			continue
		}
		rest, err := json.Marshal(fields)
		w := k.New()
		if err == nil {
			err = bounded.Strict(rest, w)
		}
		if err != nil {
			return nil, problem.New("", remedyOf(err), "%s: %s", what, bounded.Flaw(err))
		}
		return w, nil
	}
	return nil, problem.New("", "use a newer blossom, or one of "+problem.OneOf(wantable()...),
		"%.60q is something that this program cannot make", what)
}

// depth is how deep JSON is nested, without regard to whether it is any.
func depth(text []byte) (most int) {
	deep, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			deep++
			most = max(most, deep)
		case c == '}' || c == ']':
			deep--
		}
	}
	return most
}

func remedyOf(err error) string {
	if bounded.IsUnknownField(err) {
		return "use a newer blossom, or take it out"
	}
	return fileRemedy
}
