// Package drive is the live browser: tabs, elements, navigation, waits, dialogs,
// logs, and what each action caused.
//
// # How it waits
//
// One sink receives every event in the order of the wire and updates the state
// of the [Browser] under one lock; whoever waits is woken by a change of that
// state and looks again. A verb sends its input, races the reply against what
// makes a reply impossible (a prompt, a closed tab, a lost browser), and then
// settles: it reads the page once and waits only for causes that it saw, within
// a bound that each new cause extends.
package drive
