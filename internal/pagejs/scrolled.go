package pagejs

// Scrolled waits until scrolling has come to rest, and says whether there was any.
var Scrolled = load[struct{}, bool]("scrolled")
