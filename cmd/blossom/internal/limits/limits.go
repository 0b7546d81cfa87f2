// Package limits keeps to what the shell or the batch system allows (ulimit): a limit that is too small
// ends the program with one line and exit code 1, where the Go runtime would print its stacks. What a
// process may not have must be noticed before that runtime starts, so it is in C (limits.c), and acts by
// being linked.
package limits
