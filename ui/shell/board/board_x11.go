//go:build !windows && !darwin

package board

import (
	"errors"
	"io"
	"log"
	"os"
	"time"

	"github.com/jezek/xgb"
)

func init() { xgb.Logger = log.New(io.Discard, "", 0) } // errors are returned

// noDisplay is what helps where there is no X server, nor one within Wayland.
const noDisplay = "save the picture instead, or start an X display (Xwayland)"

// system is the owner of the selection CLIPBOARD of an X server, over a connection of its own; nil before the first.
type system struct{ owner *owner }

// texts are the types by which programs ask for text.
var texts = []string{"UTF8_STRING", "text/plain;charset=utf-8", "text/plain"}

func (s *system) picture(png []byte) error {
	return s.put(content{bytes: png, types: []string{"image/png"}})
}

// Text says whether it has put a text into the clipboard. GLFW can have short ones there, too, but none that is larger
// than a request to the X server may be.
func (b *Board) Text(text string) bool {
	return b.put(content{bytes: []byte(text), types: texts}) == nil
}

// put offers content, over a new connection where there is none or the last one has ended.
func (s *system) put(c content) error {
	for range 2 {
		if s.owner == nil {
			if os.Getenv("DISPLAY") == "" {
				return refused(errors.New("there is no X display"), noDisplay)
			}
			var err error
			if s.owner, err = newOwner(); err != nil {
				return refused(err, noDisplay)
			}
		}
		select {
		case s.owner.offer <- c:
		case <-s.owner.ended:
			s.owner = nil
			continue
		}
		select {
		case err := <-s.owner.offered:
			if err != nil {
				return refused(err, "copy it again, or save it")
			}
			return nil
		case <-s.owner.ended:
			s.owner = nil
		}
	}
	return refused(errors.New("the X display does not answer"), noDisplay)
}

// Close ends what the Board has in the clipboard.
func (b *Board) Close() {
	if b.owner != nil {
		b.owner.x.Close()
		<-b.owner.ended
		b.owner = nil
	}
}

// patience is how long the X server may take to say what time it is.
const patience = 3 * time.Second
