package pagejs

// Restored says how many entries Restore has set.
type Restored struct {
	Set int `json:"set"`
}

// Restore puts saved entries into the local storage of a document's origin. They
// come as its secret: a JSON list of {name, value}.
var Restore = load[struct{}, Restored]("restore")
