// Package docs holds the decision records, the generated reference, and the
// tests that both are in order; it holds no code.
package docs
