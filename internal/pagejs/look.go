package pagejs

// Look is Walk for the reading that follows an action: tasks that the action
// queued, such as the submission of a form, run before it.
var Look = load[WalkArgs, Doc]("look")

// Past counts the entries of the tab's history, those ahead too.
var Past = load[struct{}, int]("past")

// Closing says whether the page has closed its own tab, which is about to go.
var Closing = load[struct{}, bool]("closing")
