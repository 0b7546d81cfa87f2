package output

import (
	"bufio"
	"bytes"
	"strconv"
	"strings"
)

// told reads what the program says on its standard error: lines of progress, and what is wrong.
type told struct {
	report func(done, total int64)
	stage  string                  // the one whose progress counts; "": all, one after the other
	remark func(done, total int64) // told how many of how many there are in that stage; nil: nobody wants to know
	rest   bytes.Buffer
	words  string
}

func (t *told) Write(b []byte) (int, error) {
	t.rest.Write(b)
	for {
		line, more, there := bytes.Cut(t.rest.Bytes(), []byte("\n"))
		if !there {
			return len(b), nil
		}
		t.line(string(line))
		t.rest = *bytes.NewBuffer(bytes.Clone(more))
	}
}

func (t *told) line(text string) {
	words := strings.Fields(text)
	if len(words) >= 3 && words[0] == "progress" {
		if percent, err := strconv.Atoi(words[1]); err == nil && (t.stage == "" || words[2] == t.stage) {
			t.report(int64(percent), 100)
			t.count(words[len(words)-1])
		}
		return
	}
	if strings.TrimSpace(text) != "" && !strings.HasPrefix(text, "blossom: note: ") {
		t.words = text
	}
}

// last is the last line that was no progress.
func (t *told) last(err error) string {
	s := bufio.NewScanner(&t.rest)
	for s.Scan() {
		t.line(s.Text())
	}
	if t.words == "" {
		return err.Error()
	}
	return strings.TrimPrefix(t.words, "blossom: ")
}

// count tells how many of how many there are: "15/40".
func (t *told) count(text string) {
	of, all, ok := strings.Cut(text, "/")
	done, err := strconv.ParseInt(of, 10, 64)
	total, bad := strconv.ParseInt(all, 10, 64)
	if ok && err == nil && bad == nil && t.remark != nil {
		t.remark(done, total)
	}
}
