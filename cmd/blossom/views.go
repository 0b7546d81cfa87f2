//go:build cgo && !nowindow && !static

package main

import (
	"blossom/model/job"
	"blossom/ui/output/studio"
)

func init() { job.Views = studio.Draw }
