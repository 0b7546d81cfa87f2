package board

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// system asks AppleScript, which is there on every macOS.
type system struct{}

func (*system) picture(png []byte) error {
	folder, err := os.MkdirTemp("", "blossom-copy-")
	if err != nil {
		return refused(err, "make room, or set TMPDIR to another folder")
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "picture.png")
	if err := os.WriteFile(path, png, 0o600); err != nil {
		return refused(err, "make room, or set TMPDIR to another folder")
	}
	quoted := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path)
	script := fmt.Sprintf(`set the clipboard to (read (POSIX file "%s") as «class PNGf»)`, quoted)
	if said, err := exec.Command("osascript", "-e", script).CombinedOutput(); err != nil {
		return refused(fmt.Errorf("%w: %s", err, strings.TrimSpace(string(said))), "save it instead")
	}
	return nil
}

// Text says whether it has put a text into the clipboard: GLFW can have texts of any length there.
func (b *Board) Text(string) bool { return false }

// Close leaves what is in the clipboard, as the system has it now.
func (b *Board) Close() {}
