package drive

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"

	"duet/internal/fault"
)

// onePixel is a PNG of one pixel, in base64.
const onePixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

// secretMarks is what a page answers that shows a filled field with a secret.
const secretMarks = `{"doc":"d","readings":[{"masks":[{"x":0,"y":0,"w":9,"h":9}],"frames":[],"marked":[],"dpr":1,"scroll":{"x":0,"y":0},"view":{"w":10,"h":10},"page":{"w":10,"h":10}}]}`

// A secret that comes while a picture is drawn is covered in it, or there is no picture.
func TestASecretThatComesWhileAPictureIsDrawn(t *testing.T) {
	for _, format := range []string{"png", "webp"} {
		synctest.Test(t, func(t *testing.T) {
			marks := 0
			tab, _ := begun(t, "chrome", func(w *wire, c command) {
				switch {
				case c.Method == "browsingContext.captureScreenshot":
					w.reply(c, `{"data":"`+onePixel+`"}`)
				case strings.Contains(string(c.Params), "shot_marks(lib"):
					if marks++; marks == 1 {
						w.doc(c, emptyMarks)
					} else {
						w.doc(c, secretMarks)
					}
				default:
					w.reply(c, `{}`)
				}
			})
			p, err := tab.Screenshot(t.Context(), Shot{Format: format})
			if format == "webp" && !errors.Is(err, fault.Unsupported) || format == "png" && (err != nil || p.Masked != 1) {
				t.Errorf("%s: %d covered, %s", format, p.Masked, explain(err))
			}
		})
	}
}

// A page that goes while it is drawn is drawn again: what is on the first picture is not
// known.
func TestAPageThatGoesWhileItIsDrawn(t *testing.T) {
	for _, goes := range []int{1, 9} {
		synctest.Test(t, func(t *testing.T) {
			marks, drawn := 0, 0
			tab, _ := begun(t, "chrome", func(w *wire, c command) {
				switch {
				case c.Method == "browsingContext.captureScreenshot":
					drawn++
					w.reply(c, `{"data":"`+onePixel+`"}`)
				case strings.Contains(string(c.Params), "shot_marks(lib"):
					marks++
					switch {
					case marks%2 == 0 && marks/2 <= goes:
						w.fail(c, "unknown error", "Execution context was destroyed")
					case marks > 2:
						w.doc(c, secretMarks)
					default:
						w.doc(c, emptyMarks)
					}
				default:
					w.reply(c, `{}`)
				}
			})
			p, err := tab.Screenshot(t.Context(), Shot{})
			if goes == 1 && (err != nil || p.Masked != 1 || drawn != 2) || goes == 9 && (!errors.Is(err, fault.StateInvalid) || drawn != drawings) {
				t.Errorf("it went %d times: drawn %d times, %d covered, %s", goes, drawn, p.Masked, explain(err))
			}
		})
	}
}
