//go:build (nowindow || !cgo) && !static

package main

const buildTags = "nowindow"
