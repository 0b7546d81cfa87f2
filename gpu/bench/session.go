package bench

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"

	"blossom/gpu/bench/contest"
	"blossom/gpu/bench/table"
	"blossom/model/data/format"
	"blossom/model/job/run"
)

// Machine says what numbers were measured on.
type Machine struct {
	CPU   string `json:"cpu"`
	Cores int    `json:"cores"`
	GPU   string `json:"gpu"`
}

func (m Machine) String() string {
	text := fmt.Sprintf("%s, %d cores", m.CPU, m.Cores)
	if m.GPU != "" {
		text += ", " + m.GPU
	}
	return text
}

// Numbers are what was measured so far, for programs.
type Numbers struct {
	Machine Machine        `json:"machine"`
	Sizes   *Sizes         `json:"sizes,omitempty"`
	Rows    []any          `json:"rows"`
	Means   []contest.Mean `json:"means"`
}

// Session runs measures one after the other, and tells what they find: as tables, or as JSON when all is done, and
// beside that in a file that is written anew with every addition.
type Session struct {
	Numbers
	Tools
	Out          *bufio.Writer
	JSON, Readme bool
	File         string // or ""
	Clear        func() // takes the progress away before something is printed; may be nil

	printed bool
	unsaved error // why the file does not hold all of it
}

// Measure runs measures with what flags were set to, inputs for the only one. What was measured before a failure or an
// interrupt is told all the same.
func (s *Session) Measure(ctx context.Context, list []*Measure, v Values, inputs []string) error {
	s.Rows = []any{}
	var failed error
	for _, m := range list {
		if failed = m.check(v); failed == nil {
			failed = s.one(ctx, m, v, inputs)
		}
		if failed != nil {
			break
		}
	}
	if failed != nil && len(s.Rows) == 0 {
		return failed
	}
	if s.unsaved != nil || s.once() {
		s.unsaved = s.save()
	}
	if s.JSON {
		if err := s.write(s.Out); err != nil {
			return err
		}
	}
	return cmp.Or(failed, s.unsaved)
}

// check refuses cards that are not there.
func (m *Measure) check(v Values) error {
	if _, has := m.flag(deviceFlag.Name); !has {
		return nil
	}
	first, beside := v.cards()
	return run.CheckDevices(v.Text("engine"), first, beside)
}

// one runs one measure.
func (s *Session) one(ctx context.Context, m *Measure, v Values, inputs []string) error {
	own := Values{} // the flags of all are there when all are measured
	for _, f := range m.Flags {
		if value, set := v[f.Name]; set {
			own[f.Name] = value
		}
	}
	from := len(s.Rows)
	err := attend(ctx, m, &Run{Values: own, Inputs: inputs, Tools: s.Tools}, func(r *Run) { s.tellRows(m, r) })
	if own := s.Numbers; len(own.Rows) > from && !s.JSON {
		own.Rows = own.Rows[from:]
		s.print(m.end(own, s.Readme))
	}
	return err
}

// tellRows prints rows that a run has, and keeps them.
func (s *Session) tellRows(m *Measure, r *Run) {
	if !s.JSON && !s.Readme {
		s.print(m.lay(r.rows))
	}
	s.Rows = append(s.Rows, r.rows...)
	if r.Sizes != nil {
		sizes := *r.Sizes
		s.Sizes, s.Means = &sizes, r.Means
	}
	if !s.once() {
		s.unsaved = s.save() // a later one may have more luck
	}
}

// lay makes the table of rows that were told together.
func (m *Measure) lay(rows []any) string {
	text := table.Of(m.Columns, rows).Text()
	if m.Head != nil {
		text = m.Head(rows) + "\n" + text
	}
	if m.Note != nil {
		if note := m.Note(rows); note != "" {
			text += note + "\n"
		}
	}
	return text
}

// end is what is said of all rows of a run when it is over.
func (m *Measure) end(all Numbers, readme bool) string {
	switch {
	case m.End != nil:
		return m.End(all, readme)
	case readme:
		return table.Of(m.Columns, all.Rows).Markdown()
	}
	return ""
}

// print prints a text after what was printed before, at once: an error stays with the writer, and is told in the end.
func (s *Session) print(text string) {
	if text == "" {
		return
	}
	if s.Clear != nil {
		s.Clear()
	}
	if !s.printed {
		fmt.Fprintln(s.Out, s.Machine)
		s.printed = true
	}
	fmt.Fprint(s.Out, "\n"+text)
	s.Out.Flush()
}

// once says whether the file is to be written at the end alone: a device or a pipe keeps all that is written to it.
func (s *Session) once() bool {
	st, err := os.Stat(s.File)
	return err == nil && !st.Mode().IsRegular()
}

// save writes the file, whole or not at all.
func (s *Session) save() error {
	if s.File == "" {
		return nil
	}
	return format.AtomicWrite(s.File, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		return errors.Join(s.write(b), b.Flush())
	})
}

func (s *Session) write(w io.Writer) error {
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	return e.Encode(s.Numbers)
}

// rowsOf are the rows of one type.
func rowsOf[R any](rows []any) (list []R) {
	for _, row := range rows {
		if r, ok := row.(R); ok {
			list = append(list, r)
		}
	}
	return slices.Clip(list)
}
