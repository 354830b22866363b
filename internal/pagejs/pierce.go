package pagejs

// PierceArgs bound how many elements are asked about at once: many in the first
// look at a document, few in each later one.
type PierceArgs struct {
	Few  int `json:"few"`
	Many int `json:"many"`
}

// Pierce takes closed shadow roots into the library, from where on they are read as
// open ones are. It is called with the roots as its second argument, an object
// {roots: [...]}, or without it; its answer is no JSON but an array of elements:
// those in the roots given, in the whole document where none are, which may hold
// closed roots that the library does not know.
var Pierce = load[PierceArgs, []any]("pierce")

// Missing reports whether a function answered that its realm has no library.
func Missing(answer string) bool { return answer == noLib }

// Lacking reports whether a function answered that its document was not given it.
func Lacking(answer string) bool { return answer == lacking }
