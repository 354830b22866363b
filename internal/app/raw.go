package app

import (
	"fmt"
	"os"
	"strings"

	"github.com/goccy/go-json"
)

// tokens estimates what the answer costs a model: its larger half, since some hosts
// show one and some the other.
func (r *reply) tokens() int {
	return max(estimateTokens(r.text), estimateTokens(string(r.structured)))
}

// rawValue is the one member of the result that a verb prints as it is: a text
// without quotes or marks, for a shell to use. ok is false where the verb has none,
// or the value cannot be told so (a secret's).
func (r *reply) rawValue() (value string, ok bool) {
	if r.raw == "" {
		return "", false
	}
	var answer struct {
		Result map[string]json.RawMessage `json:"result"`
	}
	if json.Unmarshal(r.structured, &answer) != nil {
		return "", false
	}
	if string(answer.Result["secret"]) == "true" {
		return "", false
	}
	member, ok := answer.Result[r.raw]
	if !ok {
		return spilled(answer.Result["path"])
	}
	if string(member) == "null" {
		return "", true // nothing is there
	}
	var text string
	if json.Unmarshal(member, &text) != nil {
		return string(member) + "\n", true
	}
	return ended(text), true
}

// cut says that a value is not all of what the page holds, "" where it is: more is
// never read of a page. A value that is printed as it is has no room for that.
func (r *reply) cut() string {
	var answer struct {
		Result struct {
			Cut   bool `json:"truncated"`
			Total int  `json:"characters"`
		} `json:"result"`
	}
	switch {
	case !r.value || r.isError || json.Unmarshal(r.structured, &answer) != nil:
	case answer.Result.Cut:
		return "the value is cut: more than 100,000 characters, 1,000 members of a list or object, or 8 levels are not read; let the script return less"
	case answer.Result.Total > 0:
		return fmt.Sprintf("the text is cut: the first 100,000 of %d characters; read a smaller element", answer.Result.Total)
	}
	return ""
}

// ended is a text that ends its line.
func ended(text string) string {
	if strings.HasSuffix(text, "\n") {
		return text
	}
	return text + "\n"
}

// spilled is a text that went to a file, without the marks of its lines.
func spilled(path json.RawMessage) (string, bool) {
	var name string
	if json.Unmarshal(path, &name) != nil || name == "" {
		return "", false
	}
	whole, err := os.ReadFile(name)
	if err != nil {
		return "", false
	}
	var b strings.Builder
	for line := range strings.Lines(string(whole)) {
		if text, marked := strings.CutPrefix(line, "text: "); marked {
			b.WriteString(text)
		} else if strings.TrimSpace(line) == "" {
			b.WriteString("\n")
		}
	}
	return ended(b.String()), true
}
