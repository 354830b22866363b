// Package bidi is the WebDriver BiDi wire: messages, commands, events and one
// connection. It follows the specification (https://w3c.github.io/webdriver-bidi/)
// and never our needs.
//
// Two guarantees of order hold for a [Conn]. Frames leave in the order of their
// Send or Call, and an event reaches the sink before any reply that arrived
// after it reaches its caller. What is overheard ([Conn.Overhear]) has no place in
// that order.
//
// Every method of Conn, Command and Pending may be called from any goroutine,
// except that the sink must not block and must not call into its own connection.
//
// Names are those of the specification: the type of the rule
// browsingContext.NavigateParameters is BrowsingContextNavigateParameters, and the
// command browsingContext.navigate is BrowsingContextNavigate. A member that may be
// absent has the option omitzero; a member that may be null is a pointer where we
// send it. The discriminator of a union's variant is part of its type and needs no
// value.
package bidi
