package app

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The estimate is within 15 percent of what a tokenizer counts, on each kind of
// text that duet prints. testdata/tokens/counts was made with o200k.
func TestEstimatedTokensAreNearTheCount(t *testing.T) {
	counts, err := os.ReadFile("testdata/tokens/counts")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(counts)) {
		var name string
		var want int
		if _, err := fmt.Sscan(line, &name, &want); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join("testdata/tokens", name))
		if err != nil {
			t.Fatal(err)
		}
		got := estimateTokens(string(text))
		off := float64(got-want) / float64(want)
		t.Logf("%s: %d, counted %d: %+.1f %%", name, got, want, 100*off)
		if math.Abs(off) > 0.15 {
			t.Errorf("%s: estimated %d, counted %d: %+.1f %%", name, got, want, 100*off)
		}
	}
}
