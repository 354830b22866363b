package pagejs

// AwaitTextArgs says which text is waited for, and how long in the page.
type AwaitTextArgs struct {
	Text string `json:"text"`
	Gone bool   `json:"gone,omitzero"` // that it is there no more
	MS   int    `json:"ms"`            // 0 looks once
}

// AwaitedText says whether the text came (or went).
type AwaitedText struct {
	OK bool `json:"ok"`
}

// AwaitText waits in one document for a text.
var AwaitText = load[AwaitTextArgs, AwaitedText]("await_text")

// AwaitChangeArgs names the version that is known.
type AwaitChangeArgs struct {
	Doc   string `json:"doc"`
	Since int    `json:"since"`
	MS    int    `json:"ms"`
}

// AwaitedChange is the version that the document is at.
type AwaitedChange struct {
	Doc     string `json:"doc"`
	Version int    `json:"ver"`
}

// AwaitChange waits in one document for a change.
var AwaitChange = load[AwaitChangeArgs, AwaitedChange]("await_change")
