// Package notices holds the terms of everything that is linked into the program, for people to read.
package notices

import _ "embed"

// Text lists what is linked, then gives the terms of each. It is made by .ci/notices, and a test of cmd/blossom fails
// when it is not fresh.
//
//go:embed NOTICES.txt
var Text string

//go:generate go -C ../.. run ./.ci/notices
