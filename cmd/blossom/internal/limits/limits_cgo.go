//go:build linux && cgo

package limits

import "C"
