// Package launch finds, starts and stops a browser process and says where its
// BiDi endpoint is. It speaks no BiDi.
//
// What it starts hangs from a guard: the program's own binary, re-executed with
// [GuardArg], which is the parent of driver and browser and ends the whole tree
// when its parent is gone, however that came about. The temporary directory of
// a session carries a lock that the guard holds, so that a later start removes
// what a crash left behind and nothing that is in use.
package launch
