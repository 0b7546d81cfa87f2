package driver

// Reach lets copies between the two cards go directly, where the machine has a way between them. Without one they go
// through the computer, which the driver does by itself, so that there is no error to act on. c is current.
func (c *Context) Reach(other *Context) { _ = c.lib.call4(cuCtxEnablePeerAccess, other.ctx, 0, 0, 0) }

// CopyTo copies from memory of the card of s, whose context is from, to that of another.
func (s *Stream) CopyTo(to *Context, dst Ptr, from *Context, src Ptr, bytes int64) error {
	if bytes == 0 {
		return nil
	}
	return s.lib.call(cuMemcpyPeerAsync, uintptr(dst), to.ctx, uintptr(src), from.ctx, uintptr(bytes), s.handle)
}
