//go:build unix && !linux

package launch

import "syscall"

func nameSelf() {}

// adoptOrphans has no counterpart here: the process group has to do.
func adoptOrphans() {}

func childAttr(s spec) *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Setpgid: true}
	if s.UID >= 0 {
		a.Credential = &syscall.Credential{Uid: uint32(s.UID), Gid: uint32(s.GID)}
	}
	return a
}

// killTree sends SIGKILL to the child's process group.
func killTree(child int) { _ = syscall.Kill(-child, syscall.SIGKILL) }

// watch is left out: the end of the socket says the same a little later.
func watch(int, chan<- struct{}) {}

func killMarked(...string) {}

func trim() {}
