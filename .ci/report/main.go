// Command report shortens the stream of `go test -json` to what a reader needs: one line for each
// package, the whole output of what failed, and every skipped test with its reason. It appends
// "PASSED FAILED" to the file it is given, and exits with 1 when anything failed. To the file of that name with -times
// it appends the seconds of each test that took long, for whoever wants CI to be faster.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
)

// event is one line of the stream; see `go doc test2json`.
type event struct {
	Action, Package, Test, Output string
	ImportPath                    string
	Elapsed                       float64
}

// counts are the tests of one package (subtests are not counted twice: only top-level ones count).
type counts struct{ pass, fail, skip int }

// long is how many seconds a test takes that is worth a line.
const long = 0.3

// times is where the seconds of tests are written.
var times io.Writer = io.Discard

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: go test -json ... | report TOTALS")
		os.Exit(2)
	}
	if f, err := os.OpenFile(os.Args[1]+"-times", os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644); err == nil {
		times = f
	}
	passed, failed := read(bufio.NewReaderSize(os.Stdin, 1<<20))
	f, err := os.OpenFile(os.Args[1], os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err == nil {
		_, err = fmt.Fprintln(f, passed, failed)
	}
	if err == nil {
		err = f.Close()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
	if failed > 0 || passed == 0 {
		os.Exit(1)
	}
}

func read(in *bufio.Reader) (passed, failed int) {
	output := map[string]*strings.Builder{} // by package and test, until it is known to be of no interest
	notes := map[string]*strings.Builder{}  // messages of compilers, by package
	pkgs := map[string]*counts{}
	for {
		line, err := in.ReadString('\n')
		if err != nil && line == "" {
			return passed, failed
		}
		var e event
		if json.Unmarshal([]byte(line), &e) != nil {
			fmt.Print(line) // the go command itself: a module that is missing, and the like
			continue
		}
		key := e.Package + " " + e.Test
		c := pkgs[e.Package]
		if c == nil {
			c = &counts{}
			pkgs[e.Package] = c
		}
		switch e.Action {
		case "build-output": // compilers have much to say about other people's packages
			if strings.HasPrefix(e.ImportPath, "blossom/") {
				fmt.Print(e.Output)
				continue
			}
			if notes[e.ImportPath] == nil {
				notes[e.ImportPath] = &strings.Builder{}
			}
			notes[e.ImportPath].WriteString(e.Output)
		case "build-fail":
			if b := notes[e.ImportPath]; b != nil {
				fmt.Print(b.String())
			}
		case "output":
			if output[key] == nil {
				output[key] = &strings.Builder{}
			}
			output[key].WriteString(e.Output)
		case "pass", "fail", "skip":
			text := ""
			if b := output[key]; b != nil {
				text = b.String()
				delete(output, key)
			}
			if e.Test == "" {
				if e.Action == "fail" {
					for k, b := range output { // a panic or a time-out is told where something was still running
						if strings.HasPrefix(k, e.Package+" ") {
							fmt.Print(b.String())
						}
					}
					fmt.Print(text)
					if c.fail == 0 { // did not build, timed out, or died outside of a test
						c.fail++
						failed++
					}
				}
				if e.Action != "skip" {
					fmt.Printf("%-4s %-34s %7.1fs %s\n", map[string]string{"pass": "ok", "fail": "FAIL"}[e.Action],
						e.Package, e.Elapsed, c)
				}
				continue
			}
			if e.Action == "fail" {
				fmt.Print(text)
			}
			if e.Action == "skip" {
				fmt.Printf("skip %s %s: %s\n", e.Package, e.Test, reason(text))
			}
			if strings.Contains(e.Test, "/") {
				continue
			}
			if e.Elapsed > long {
				fmt.Fprintf(times, "%6.2f %s %s\n", e.Elapsed, e.Package, e.Test)
			}
			switch e.Action {
			case "pass":
				c.pass++
				passed++
			case "fail":
				c.fail++
				failed++
			default:
				c.skip++
			}
		}
	}
}

func (c *counts) String() string {
	s := fmt.Sprintf("%4d tests", c.pass+c.fail)
	if c.fail > 0 {
		s += fmt.Sprintf(", %d failed", c.fail)
	}
	if c.skip > 0 {
		s += fmt.Sprintf(", %d skipped", c.skip)
	}
	return s
}

// reason is the message of a skipped test, without the frame that the testing package puts around it.
func reason(text string) string {
	var keep []string
	for _, l := range strings.Split(text, "\n") {
		l = strings.TrimSpace(l)
		if l != "" && !strings.HasPrefix(l, "===") && !strings.HasPrefix(l, "---") {
			keep = append(keep, l)
		}
	}
	return strings.Join(keep, " ")
}
