//go:build static

package main

const buildTags = "static"
