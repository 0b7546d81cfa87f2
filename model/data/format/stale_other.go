//go:build !unix

package format

import "os"

func hold(*os.File, string) bool { return true }

// removeUnlocked removes a file that no living process holds: Windows refuses to remove one that is open.
func removeUnlocked(name string) { os.Remove(name) }
