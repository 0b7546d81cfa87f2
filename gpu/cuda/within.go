package cuda

import (
	"errors"

	"blossom/gpu/cuda/driver"
)

// within works on the card for somebody whose work does not go on after an error of which the card does not recover:
// that is kept in lost.
func (e *card) within(lost *error, work func() error) error {
	if *lost != nil {
		return *lost
	}
	leave, err := e.c.Enter()
	if err != nil {
		return err
	}
	defer leave()
	if err = work(); isLost(err) {
		*lost = err
	}
	return err
}

func isLost(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Lost()
}
