// Command site writes the manual as a website that needs no network: go run ./.ci/site [FOLDER].
package main

import (
	"fmt"
	"os"

	"blossom/docs/site"
)

func main() {
	to := "build/site"
	if len(os.Args) > 1 {
		to = os.Args[1]
	}
	pages, err := site.Write(os.DirFS("."), to)
	if err != nil {
		fmt.Fprintln(os.Stderr, "site:", err)
		os.Exit(1)
	}
	fmt.Printf("%d pages: %s/index.html\n", pages, to)
}
