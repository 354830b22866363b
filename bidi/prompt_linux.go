package bidi

import "syscall"

// acknowledge tells the peer at once that what came has come. The kernel would wait
// up to 40 ms for an answer to ride along, and forgets what it was told with each
// read.
func acknowledge(fd uintptr) {
	// It is a hint: where it is not taken, the connection is slower.
	_ = syscall.SetsockoptInt(int(fd), syscall.IPPROTO_TCP, syscall.TCP_QUICKACK, 1)
}
