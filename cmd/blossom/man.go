//go:build man

package main

import (
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// Built with -tags man the program writes the pages of the manual and the completions of shells that packages bring:
// blossom man DIR. Nobody else needs what draws them.

func init() { more = append(more, manCommand) }

func manCommand(*app) *cobra.Command {
	return &cobra.Command{Use: "man DIR", Short: "Write manual pages and completions", Hidden: true, Args: args(1, 1),
		RunE: func(c *cobra.Command, a []string) error {
			root := c.Root()
			root.DisableAutoGenTag = true
			seconds, _ := strconv.ParseInt(os.Getenv("SOURCE_DATE_EPOCH"), 10, 64)
			at := time.Unix(seconds, 0).UTC()
			write := func(name string, make func(path string) error) error {
				path := filepath.Join(a[0], filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					return err
				}
				return make(path)
			}
			for name, make := range map[string]func(string) error{
				"man/man1/x": func(path string) error {
					return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Date: &at, Source: "blossom " + release,
						Manual: "blossom"}, filepath.Dir(path))
				},
				"bash-completion/completions/blossom": func(path string) error {
					return root.GenBashCompletionFileV2(path, true)
				},
				"zsh/vendor-completions/_blossom": root.GenZshCompletionFile,
				"fish/vendor_completions.d/blossom.fish": func(path string) error {
					return root.GenFishCompletionFile(path, true)
				},
			} {
				if err := write(name, make); err != nil {
					return err
				}
			}
			return nil
		}}
}
