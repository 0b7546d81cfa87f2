package transform

import (
	"fmt"
	"strconv"
	"strings"

	"blossom/model/problem"
)

const known = "use none, asinh:COFACTOR, log, log:FLOOR, linear or linear:A:B"

// Parse reads the transform of a column as the command line writes it: "none", "asinh" (cofactor
// 150), "asinh:5", "log", "log:0.1" (with its floor), "linear" (which changes nothing) and
// "linear:2:1" (2x+1). The result is in the map with weight 1. Errors are Problems.
func Parse(text string) (Column, error) {
	parts := strings.Split(strings.TrimSpace(text), ":")
	c := Column{Weight: 1}
	var args []*float64
	switch strings.ToLower(parts[0]) {
	case "none", "raw":
	case "asinh", "arcsinh":
		c.Kind, c.Cofactor, args = Asinh, 150, []*float64{&c.Cofactor}
	case "log", "log10":
		c.Kind, args = Log, []*float64{&c.Floor}
	case "linear":
		c.Kind, c.A, args = Linear, 1, []*float64{&c.A, &c.B}
	default:
		return c, problem.New("", known, "transform %q is not known", text)
	}
	if len(parts)-1 > len(args) {
		return c, problem.New("", known, "transform %q has too many numbers", text)
	}
	for i, p := range parts[1:] {
		x, err := strconv.ParseFloat(strings.TrimSpace(p), 64)
		if err != nil {
			return c, problem.New("", known, "transform %q: %q is not a number", text, p)
		}
		*args[i] = x
	}
	if why := c.wrong(); why != "" {
		return c, problem.New("", known, "transform %q: %s", text, why)
	}
	return c, nil
}

// ParseSetting reads "TRANSFORM" for all columns (name is "") or "NAME=TRANSFORM" for one. The last
// "=" divides, as names of columns may have one too.
func ParseSetting(text string) (name string, c Column, err error) {
	i := strings.LastIndexByte(text, '=')
	if i >= 0 {
		name = strings.TrimSpace(text[:i])
		if name == "" {
			return "", c, problem.New("", "write NAME=asinh:5", "transform %q names no column", text)
		}
	}
	c, err = Parse(text[i+1:])
	return name, c, err
}

// String returns the transform so that Parse reads it back: use, weight and deviation are not in it.
func (c Column) String() string {
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch c.Kind {
	case Linear:
		return fmt.Sprintf("linear:%s:%s", num(c.A), num(c.B))
	case Asinh:
		return "asinh:" + num(c.Cofactor)
	case Log:
		if c.Floor != 0 {
			return "log:" + num(c.Floor)
		}
	}
	return c.Kind.String()
}
