// Package artifacts holds the files that are handed to the caller instead of
// bytes: allocation, quota, spill. It never takes a path from a caller.
package artifacts
