//go:build nowindow

package main

const buildTags = "nowindow"
