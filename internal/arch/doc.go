// Package arch tests the import graph and the house rules; it holds no code.
package arch
