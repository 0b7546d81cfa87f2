// Command wheel makes the Python package: go run ./.ci/wheel [-program FILE] [-o FOLDER].
//
// The wheel has the sources of cmd/python, and the program itself where that is named; without it the package finds one
// in PATH. The version is that of cmd/blossom/version.go. The same sources give the same bytes.
package main

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	distribution = "blossom_map"
	sources      = "cmd/python/blossom"
	page         = "docs/python.md"
)

func main() {
	to := flag.String("o", "dist", "folder of the wheel")
	program := flag.String("program", "", "the program to put into it: for this system alone then")
	flag.Parse()
	path, err := build(*to, *program)
	if err != nil {
		fmt.Fprintln(os.Stderr, "wheel:", err)
		os.Exit(1)
	}
	fmt.Println(path)
}

// build writes the wheel into a folder and returns its path.
func build(to, program string) (string, error) {
	version, err := release()
	if err != nil {
		return "", err
	}
	tag, err := tagOf(program)
	if err != nil {
		return "", err
	}
	files, err := content(version, tag, program)
	if err != nil {
		return "", err
	}
	var wheel bytes.Buffer
	if err := pack(&wheel, files); err != nil {
		return "", err
	}
	if err := os.MkdirAll(to, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(to, distribution+"-"+version+"-"+tag+".whl")
	part := path + ".part"
	if err := os.WriteFile(part, wheel.Bytes(), 0o666); err != nil {
		return "", err
	}
	return path, os.Rename(part, path)
}

// release is the version, as the program has it.
func release() (string, error) {
	const at = "cmd/blossom/version.go"
	f, err := parser.ParseFile(token.NewFileSet(), at, nil, 0)
	if err != nil {
		return "", err
	}
	found := ""
	ast.Inspect(f, func(n ast.Node) bool {
		if v, ok := n.(*ast.ValueSpec); ok && v.Names[0].Name == "release" && len(v.Values) == 1 {
			if text, ok := v.Values[0].(*ast.BasicLit); ok {
				found, _ = strconv.Unquote(text.Value)
			}
		}
		return true
	})
	if found == "" {
		return "", fmt.Errorf("%s has no constant release", at)
	}
	return found, nil
}

// tagOf says on which systems the wheel can be installed.
func tagOf(program string) (string, error) {
	if program == "" {
		return "py3-none-any", nil
	}
	for system, tag := range map[string]string{"linux/amd64": "linux_x86_64", "linux/arm64": "linux_aarch64",
		"darwin/amd64": "macosx_11_0_x86_64", "darwin/arm64": "macosx_11_0_arm64", "windows/amd64": "win_amd64"} {
		if system == runtime.GOOS+"/"+runtime.GOARCH {
			return "py3-none-" + tag, nil
		}
	}
	return "", fmt.Errorf("no tag of wheels is known for %s/%s: leave -program out", runtime.GOOS, runtime.GOARCH)
}

// file is an entry of the wheel.
type file struct {
	name string
	text []byte
	mode os.FileMode
}

// content is what the wheel has: RECORD, which knows all others by their hashes, is the last.
func content(version, tag, program string) ([]file, error) {
	var files []file
	add := func(name, from string, mode os.FileMode) error {
		text, err := os.ReadFile(from)
		files = append(files, file{name, text, mode})
		return err
	}
	modules, err := filepath.Glob(sources + "/*.py")
	if err != nil || len(modules) == 0 {
		return nil, fmt.Errorf("%s has no modules: run it in the root of the sources", sources)
	}
	slices.Sort(modules)
	for _, m := range modules {
		if err := add("blossom/"+filepath.Base(m), m, 0o644); err != nil {
			return nil, err
		}
	}
	if program != "" {
		name := "blossom"
		if runtime.GOOS == "windows" {
			name += ".exe"
		}
		if err := add("blossom/bin/"+name, program, 0o755); err != nil {
			return nil, err
		}
	}
	info := distribution + "-" + version + ".dist-info/"
	about, err := os.ReadFile(page)
	if err != nil {
		return nil, err
	}
	for _, f := range [][2]string{{"LICENSE", "LICENSE"}, {"NOTICES.txt", "assets/notices/NOTICES.txt"}} {
		if err := add(info+"licenses/"+f[0], f[1], 0o644); err != nil {
			return nil, err
		}
	}
	files = append(files,
		file{info + "METADATA", []byte(metadata(version, string(about))), 0o644},
		file{info + "WHEEL", fmt.Appendf(nil, "Wheel-Version: 1.0\nGenerator: blossom\nRoot-Is-Purelib: %t\nTag: %s\n",
			program == "", tag), 0o644},
		file{info + "top_level.txt", []byte("blossom\n"), 0o644})
	return append(files, file{info + "RECORD", record(files, info+"RECORD"), 0o644}), nil
}

// metadata is what package indexes and pip show.
func metadata(version, about string) string {
	return strings.Join([]string{
		"Metadata-Version: 2.1",
		"Name: blossom-map",
		"Version: " + version,
		"Summary: Maps of high-dimensional data that are steered by hand, from NumPy, pandas and AnnData",
		"License: Apache-2.0",
		"Requires-Python: >=3.9",
		"Requires-Dist: numpy",
		"Provides-Extra: anndata",
		"Requires-Dist: anndata >=0.8 ; extra == 'anndata'",
		"Description-Content-Type: text/markdown",
		"", about}, "\n")
}

// record is the list of the files with their hashes and sizes.
func record(files []file, own string) []byte {
	var out bytes.Buffer
	for _, f := range files {
		sum := sha256.Sum256(f.text)
		fmt.Fprintf(&out, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(sum[:]), len(f.text))
	}
	fmt.Fprintf(&out, "%s,,\n", own)
	return out.Bytes()
}

// first is the first day that archives know.
var first = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// pack writes the entries, all of one date. Texts are not packed, so that their bytes do not depend on who packs them.
func pack(w io.Writer, files []file) error {
	z := zip.NewWriter(w)
	for _, f := range files {
		h := &zip.FileHeader{Name: f.name, Method: zip.Store, Modified: first}
		if h.SetMode(f.mode); len(f.text) > 1<<20 {
			h.Method = zip.Deflate
		}
		to, err := z.CreateHeader(h)
		if err == nil {
			_, err = to.Write(f.text)
		}
		if err != nil {
			return err
		}
	}
	return z.Close()
}
