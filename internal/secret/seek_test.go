package secret

import (
	"fmt"
	"html"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goccy/go-json"
)

// A value is found whole, however it is written and whatever longer forms of it there
// are, and what stands around it stays.
func TestSeekerTakesAllOfAValue(t *testing.T) {
	hex := func(text string) string {
		var b strings.Builder
		for _, c := range []byte(text) {
			fmt.Fprintf(&b, "%%%02x", c)
		}
		return b.String()
	}
	quoted := func(text string) string {
		raw, _ := json.Marshal(text)
		return string(raw[1 : len(raw)-1])
	}
	latin := strings.NewReplacer("é", "%E9", " ", "%20", "\"", "%22")
	for _, value := range []string{
		"abcdefghijklmnopqrst/uvwxyz0123456789ABCDEFGH", `Correct"Horse<Battery>Staple&Hunter2/Seventeen`, `Zq<9>p&ss/w"o'r+d %7é`,
		`back\slash\\twice"end\`, "two\nlines and\ta tab é", "日本語のひみつ", "😀 smile🎉s", `50%25 off %41&amp;&lt;`, "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC/BKcw\n-----END KEY-----",
	} {
		var s Seeker
		s.Add(value)
		for _, text := range []string{
			value, quoted(value), quoted(quoted(value)), quoted(quoted(quoted(value))), strings.ReplaceAll(quoted(value), "/", `\/`),
			url.QueryEscape(value), url.PathEscape(value), url.QueryEscape(url.QueryEscape(url.QueryEscape(value))), hex(value), latin.Replace(value),
			html.EscapeString(value), html.EscapeString(html.EscapeString(value)), quoted(html.EscapeString(value)), url.QueryEscape(quoted(value)), quoted(url.PathEscape(value)),
			strings.ToUpper(value), value[:4] + "\u200b" + value[4:], quoted(value[:6]) + `\u200b` + quoted(value[6:]), strings.Join(strings.Fields(value), " "),
		} {
			if !strings.Contains("日😀", string([]rune(value)[:1])) || !strings.Contains(text, "\u200b") && !strings.Contains(text, `\u200b`) {
				if got := s.Replace("is "+text+" ok", Masked); got != "is •••"+" ok" {
					t.Errorf("%q, as %q, leaves %q", value, text, got)
				}
			}
		}
		for _, text := range []string{quoted(value), quoted(quoted(value)), quoted(`{"v":"` + quoted(value) + `"}`), quoted(`\` + value + `\n`)} {
			got := s.ReplaceQuoted(text, Masked)
			var back string
			if err := json.Unmarshal([]byte(`"`+got+`"`), &back); err != nil || !strings.Contains(got, Masked) {
				t.Errorf("%q, as %q, leaves %q: %v", value, text, got, err)
			}
		}
	}
}

// What is no value stays: a part of one, and one that was put together of other characters.
func TestSeekerLeavesTheRest(t *testing.T) {
	var s Seeker
	for _, v := range []string{"hunter22", "pin7", "abc"} {
		s.Add(v)
	}
	for _, text := range []string{"", "hunter2", "hunter 22", "hunter%32", `hunter\n22`, "&hunter2;2", "PIN7", "abc", `\`, `\u`, `\u{`, "%", "%u", "%25", "&#x;", "&amp", "h"} {
		if got := s.Replace(text, Masked); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	for text, want := range map[string]string{"a hunt…, pin7pin7": "a •••…, ••••••", "hunter22hunter2": "•••hunter2", `\hunter22`: `\•••`} {
		if got := s.Replace(text, Masked); got != want {
			t.Errorf("%q became %q, want %q", text, got, want)
		}
	}
}

// Of values that stand one within the other, or overlap, the longest is taken.
func TestSeekerTakesTheLongest(t *testing.T) {
	values := []string{"open", "open sesame", "sesame street"}
	for range 3 {
		values = append(values[1:], values[0])
		var s Seeker
		for _, v := range values {
			s.Add(v)
		}
		c := s.Clone()
		c.AddPlain("something else")
		if got := c.Replace("open sesame, opens, sesame street", Masked); got != "•••, •••s, •••" {
			t.Errorf("%q: %s", values, got)
		}
		if s.Finds("something else") || len(slices.Concat(values)) != 3 {
			t.Error("a copy is no copy")
		}
	}
}

// No text takes long, however it repeats what may begin a value.
func TestSeekerIsQuick(t *testing.T) {
	var s Seeker
	for i := range 100 {
		s.Add(fmt.Sprintf("canary-%d", i))
	}
	for _, v := range []string{"\\a\\b", " a b c", strings.Repeat("a", 100_000), "aaaaaaab", "%%%%", "&&&&&", "a\u200bb c"} {
		s.Add(v)
	}
	for _, part := range []string{"\\", " ", "a", "%", "%25", "%5C", "%2525", "&amp;", "&", "\u200b", "a\u200b", "\\u200b", "canary-", "\\\"", "+"} {
		text := strings.Repeat(part, 10_000/len(part))
		began := time.Now()
		s.Replace(text, Masked)
		if took := time.Since(began); took > 3*time.Second {
			t.Errorf("%q took %v", part, took)
		}
	}
}

// Whatever a text is, what is left of it holds no value, and a text in quotes is one
// still.
func FuzzSeeker(f *testing.F) {
	f.Add(`ab"c\d`, `x\"ab\"c\\dy`)
	f.Add("<&>%", "%25253C&amp;amp;&gt;%25")
	f.Add(`\\\\`, `\\\\\\\\\`)
	f.Fuzz(func(t *testing.T, value, text string) {
		var s Seeker
		s.Add(value)
		s.Replace(text, Masked)
		raw, err := json.Marshal(text + value)
		if err != nil || len(raw) < 2 {
			return
		}
		var back string
		if got := s.ReplaceQuoted(string(raw[1:len(raw)-1]), Masked); json.Unmarshal([]byte(`"`+got+`"`), &back) != nil {
			t.Errorf("%q in %q leaves %q", value, raw, got)
		}
	})
}
