//go:build !unix

package format

import "errors"

func makePipe(string) error { return errors.ErrUnsupported }
