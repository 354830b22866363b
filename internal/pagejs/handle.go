package pagejs

// Handle hands out an element itself: its answer is not JSON but the element as a
// remote value, or null where it is gone.
var Handle = load[Target, any]("handle")
