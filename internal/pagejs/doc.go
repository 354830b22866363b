// Package pagejs holds the JavaScript that runs in the page, and the Go type of
// what each piece takes and returns.
package pagejs
