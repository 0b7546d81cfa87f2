package transform

import (
	"fmt"
	"strconv"
	"strings"

	"blossom/model/base/problem"
)

// Known says which transforms there are, as help and errors tell it: "none, asinh[:COFACTOR] or log".
func Known() string {
	var forms []string
	for _, o := range Ops() {
		forms = append(forms, o.form())
	}
	return problem.OneOf(forms...)
}

// Parse reads the transform of a column as the command line writes it: "none", "asinh" (cofactor
// 150), "asinh:5", "log", "log:0.1" (with its floor), "linear" (which changes nothing) and
// "linear:2:1" (2x+1). The result is in the map with weight 1. Errors are Problems.
func Parse(text string) (Column, error) { return parse(text, byName) }

// ParseFile reads the transform of a column as files have it, which is what File wrote: in any version of the program.
func ParseFile(text string) (Column, error) { return parse(text, byFileName) }

func parse(text string, find func(name string) *Op) (Column, error) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	c := Column{Weight: 1}
	wrong := func(why string) error { return problem.New("", "use "+Known(), "transform %.80q%s", text, why) }
	mu.RLock()
	o := find(strings.ToLower(parts[0]))
	mu.RUnlock()
	if o == nil {
		return c, wrong(" is not known")
	}
	c.Op, c.Params = o.ID, o.Defaults()
	if len(parts)-1 > len(o.Params) {
		return c, wrong(" has too many numbers")
	}
	for i, p := range parts[1:] {
		if o.Params[i].Auto && strings.EqualFold(strings.TrimSpace(p), Auto) {
			c.Params[i] = o.Params[i].AutoAt
			continue
		}
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil {
			return c, wrong(fmt.Sprintf(": %q is not a number", p))
		}
		c.Params[i] = x
	}
	if why := o.wrong(c.Params); why != "" {
		return c, wrong(": " + why)
	}
	return c, nil
}

// ParseSetting reads "TRANSFORM" for all columns (name is "") or "NAME=TRANSFORM" for one. The last
// "=" divides, as names of columns may have one too.
func ParseSetting(text string) (name string, c Column, err error) { return setting(text, Parse) }

// ParseFileSetting is ParseSetting of a transform as files have it.
func ParseFileSetting(text string) (name string, c Column, err error) {
	return setting(text, ParseFile)
}

// FileSetting is a setting that somebody has typed as files have it. One that makes no sense stays.
func FileSetting(text string) string {
	_, c, err := ParseSetting(text)
	o := ByID(c.Op)
	if err != nil || o == nil || len(o.Files) == 0 {
		return text
	}
	return text[:strings.LastIndexByte(text, '=')+1] + c.File()
}

func setting(text string, parse func(string) (Column, error)) (name string, c Column, err error) {
	i := strings.LastIndexByte(text, '=')
	if i >= 0 {
		name = strings.TrimSpace(text[:i])
		if name == "" {
			return "", c, problem.New("", "write NAME=asinh:5", "transform %q names no column", text)
		}
	}
	c, err = parse(text[i+1:])
	return name, c, err
}

// String returns the transform so that Parse reads it back: use, weight and deviation are not in it.
func (c Column) String() string {
	if o := ByID(c.Op); o != nil {
		return o.print(c.Params)
	}
	return c.Op.String()
}

// File returns the transform as files have it, which ParseFile reads back in any later version.
func (c Column) File() string {
	o := ByID(c.Op)
	if o == nil || len(o.Files) == 0 {
		return c.String()
	}
	return o.Files[0] + o.numbers(c.Params)
}

// Text is the transform as figures write it: "asinh/150".
func (c Column) Text() string {
	if o := ByID(c.Op); o != nil && o.Text != nil {
		return o.Text(c.Params)
	}
	return c.String()
}
