// Package fakebrowser plays a protocol log as a browser: in tests, and for duet
// replay. Time does not pass in it: what the log has next is there at once.
package fakebrowser
