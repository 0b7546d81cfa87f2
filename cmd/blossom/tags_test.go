//go:build cgo && !nowindow && !static

package main

// buildTags are the tags that the program under test is built with: those of the tests themselves.
const buildTags = ""
