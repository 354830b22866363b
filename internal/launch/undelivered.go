package launch

import (
	"strings"

	"github.com/goccy/go-json"

	"duet/internal/lazyregexp"
)

// undeliveredBytes is how long a line with an undelivered message may be. One that is
// longer is cut, and lost.
const undeliveredBytes = 1 << 20

// undeliveredLine begins what chromedriver prints of a message that it could not read,
// because half a character stands in it. No page's text begins a line of its output.
var undeliveredLine = lazyregexp.New(`^\[\d+\.\d+\]\[SEVERE\]: Bad inspector message: `)

func isUndelivered(line string) bool {
	return strings.HasPrefix(line, "[") && undeliveredLine().MatchString(line)
}

// chromeUndelivered returns the message for the client in such a line.
func chromeUndelivered(line string) ([]byte, bool) {
	var called struct {
		Params struct {
			Name    string `json:"name"`
			Payload string `json:"payload"`
		} `json:"params"`
	}
	_, text, _ := strings.Cut(line, "message: ")
	if json.Unmarshal([]byte(text), &called) != nil || called.Params.Name != "sendBidiResponse" {
		return nil, false
	}
	return []byte(called.Params.Payload), true
}
