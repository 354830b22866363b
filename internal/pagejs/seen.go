package pagejs

// SeenArgs name the permissions to ask for.
type SeenArgs struct {
	Permissions []string `json:"permissions"`
}

// SeenPage is what a page is told of its device, its place and its user.
type SeenPage struct {
	Width       int               `json:"width"`
	Height      int               `json:"height"`
	Ratio       float64           `json:"ratio"`
	Locale      string            `json:"locale"`
	Timezone    string            `json:"timezone"`
	UserAgent   string            `json:"userAgent"`
	Dark        bool              `json:"dark"`
	Still       bool              `json:"still"` // reduced motion
	Online      bool              `json:"online"`
	Touch       int               `json:"touch"`       // points
	Permissions map[string]string `json:"permissions"` // "" where no page can ask for it
}

// Seen reads it.
var Seen = load[SeenArgs, SeenPage]("seen")
