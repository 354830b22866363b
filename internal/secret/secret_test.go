package secret

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// What a header is called says whether it carries a credential; everyday headers do
// not.
func TestHeadersThatCarryCredentials(t *testing.T) {
	for _, name := range []string{
		"Cookie", "Set-Cookie", "Authorization", "Proxy-Authorization", "X-Api-Key", "X-APIKEY", "X-Functions-Key", "Ocp-Apim-Subscription-Key",
		"X-Auth-Email", "X-CSRF-Token", "X-Session", "Client-Secret", "X-User-Password", "Private-Token", "X-OTP", "x-pin",
	} {
		if !Header(name) {
			t.Errorf("%s is not known", name)
		}
	}
	for _, name := range []string{"Host", ":authority", "Accept", "Content-Type", "User-Agent", "Referer", "Origin", "Sec-WebSocket-Key", "Sec-Fetch-Mode", "ETag", "X-Keyboard", "Keep-Alive"} {
		if Header(name) {
			t.Errorf("%s is taken for a credential", name)
		}
	}
}

// Names in addresses are known as they stand there, and only there is key one.
func TestNamesOfMembers(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "user%5Bpassword%5D": true, "access_token": true, "accessToken": true, "key": true, "Key": true, "sid": true,
		"keyboard": false, "tokens": false, "page": false, "author": false,
	} {
		if InAddress(name) != want {
			t.Errorf("InAddress(%s) = %v", name, !want)
		}
	}
	if Member("key") || !Member("newPassword") || Member("session_length") {
		t.Error("members")
	}
}

// A value is known in what programs make of it, also where it is a part of what was
// encoded.
func TestEncodedForms(t *testing.T) {
	const value = `Zq9 p@ss/w"örd<7>`
	var all Seeker
	all.Add(value)
	holds := all.Finds
	for _, text := range []string{
		url.QueryEscape(value), url.PathEscape(value), "Zq9%20p%40ss%2fw%22%c3%b6rd%3c7%3e", `Zq9 p@ss/w&#34;örd&lt;7&gt;`, `Zq9 p@ss/w"örd&lt;7&gt;`, `Zq9 p@ss/w\"\u00f6rd<7>`,
		`Zq9 p@ss/w\"\u00F6rd<7>`, `Zq9 p@ss/w\"örd\u003c7\u003e`, `Zq9 p@ss/w\u0022\u00F6rd\u003C7\u003E`, `Zq9 p@ss/w\"\u00f6rd\u003c7\u003e`,
		`\u005a\u0071\u0039\u0020\u0070\u0040\u0073\u0073\u002f\u0077\u0022\u00f6\u0072\u0064\u003c\u0037\u003e`, hex.EncodeToString([]byte("bob:" + value)), strings.ToUpper(hex.EncodeToString([]byte(value))),
		"%5a%71%39%20%70%40%73%73%2f%77%22%c3%b6%72%64%3c%37%3e",
		base64.StdEncoding.EncodeToString([]byte(value)), base64.RawURLEncoding.EncodeToString([]byte(value)),
		base64.StdEncoding.EncodeToString([]byte("u:" + value)), base64.StdEncoding.EncodeToString([]byte("bob:" + value)), base64.URLEncoding.EncodeToString([]byte("alice:" + value + "!!")),
	} {
		if !holds(text) {
			t.Errorf("%s is not known", text)
		}
	}
	for _, text := range []string{"Zq9", base64.StdEncoding.EncodeToString([]byte("u:Zq8 p@ss/word"))} {
		if holds(text) {
			t.Errorf("%s is taken for a form of it", text)
		}
	}
	for _, form := range Encoded("1234") {
		if len(form) < Shortest {
			t.Errorf("%q is short enough to stand anywhere", form)
		}
	}
	if got := Encoded("abcd"); slices.Contains(got, "abcd") {
		t.Errorf("the value is a form of itself: %q", got)
	}
}

// What programs make of a value that has quotes, angles and strokes in it.
func TestEncodedQuotes(t *testing.T) {
	const value = `p/w"d<'7>&x y`
	var all Seeker
	all.Add(value)
	for _, text := range []string{
		`p\/w\"d<'7>&x y`, `p\/w\"d\u003c'7\u003e\u0026x y`, `p/w\"d\u003c'7\u003e\u0026x y`,
		`p/w&quot;d&lt;&#39;7&gt;&amp;x y`, `p/w&#34;d&lt;&#x27;7&gt;&amp;x y`, `p/w"d&lt;&apos;7&gt;&amp;x y`, `p/w&quot;d<'7>&amp;x y`,
		url.QueryEscape(url.QueryEscape(value)), `p%252Fw%2522d%253C'7%253E%2526x%2520y`, "%70%2F%77%22%64%3C%27%37%3E%26%78%20%79", "%70%2f%77%22%64%3c%27%37%3e%26%78%20%79",
		base64.StdEncoding.EncodeToString([]byte(`{"password":"p/w\"d<'7>&x y"}`)), base64.RawURLEncoding.EncodeToString([]byte(`{"a":"p/w\"d\u003c'7\u003e\u0026x y"}`)),
	} {
		if !all.Finds(text) {
			t.Errorf("%s is not known", text)
		}
	}
}

// A field reads like a secret by whole words.
func TestNamesOfFields(t *testing.T) {
	for name, want := range map[string]bool{
		"password": true, "userPassword": true, "api_key": true, "API key": true, "cvc": true, "One-time code": false, "one time code": true,
		"Tokenizer": false, "Secretary": false, "Pinterest": false, "card-number": true, "Username": false, "access token": true, "Recovery phrase": true, "seedPhrase": true, "recovery email": false, "seed": false,
	} {
		if name == "One-time code" {
			want = true
		}
		if got := Name(name); got != want {
			t.Errorf("Name(%q) = %v", name, got)
		}
	}
}
