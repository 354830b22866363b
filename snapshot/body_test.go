package snapshot

import (
	"testing"
)

// A body keeps what its names did not give away, and its layout.
func TestABodyIsMaskedByItsNames(t *testing.T) {
	for _, c := range []struct {
		kind, body, want string
		n                int
	}{
		{"application/json", `{"user":"al", "password" : "hunter2","pin":1234,"ok":true}`, `{"user":"al", "password" : "•••","pin":"•••","ok":true}`, 2},
		{"application/json", `{"token":{"value":"x","n":[1,"}"]},"list":["token","b"],"token":null}`, `{"token":"•••","list":["token","b"],"token":null}`, 1},
		{"application/problem+json", `{"accessToken":"a\"b","session_id":"s","key":"colour"}`, `{"accessToken":"•••","session_id":"•••","key":"colour"}`, 2},
		{"text/plain", ` [{"api_key":"x"}]`, ` [{"api_key":"•••"}]`, 1},
		{"application/json", `{"pass\u0077ord":"x"}`, `{"pass\u0077ord":"•••"}`, 1},
		{"application/json", `{"secret":"cut off he`, `{"secret":"•••"`, 1},
		{"application/json", `{"secret":`, `{"secret":`, 0},
		{"application/x-www-form-urlencoded", "user=al&password=hunter2&user%5Bpassword%5D=x&pin=", "user=al&password=•••&user%5Bpassword%5D=•••&pin=", 2},
		{"multipart/form-data; boundary=B", "--B\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\nabc\r\n--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--B--",
			"--B\r\nContent-Disposition: form-data; name=\"token\"\r\n\r\n•••\r\n--B\r\nContent-Disposition: form-data; name=\"a\"\r\n\r\nb\r\n--B--", 1},
		{"application/json", `{"s":"{\"secret\":\"x\",\"n\":1}","t":"[{\\\"a\\\"}"}`, `{"s":"{\"secret\":\"•••\",\"n\":1}","t":"[{\\\"a\\\"}"}`, 1},
		{"application/x-www-form-urlencoded", "grant_type=authorization_code&code=ab12&redirect_uri=u", "grant_type=authorization_code&code=•••&redirect_uri=u", 1},
		{"application/x-www-form-urlencoded", "code=ab12&state=NY", "code=ab12&state=NY", 0},
		{"application/x-www-form-urlencoded", "d=%7B%22token%22%3A%22abc%22%7D&next=%2Fx%3Ftoken%3Dq", "d=%7B%22token%22%3A%22•••%22%7D&next=%2Fx%3Ftoken%3D•••", 2},
		{"text/plain", "password: hunter2", "password: hunter2", 0},
		{"", "", "", 0},
	} {
		got, n := MaskBody(c.kind, []byte(c.body))
		if string(got) != c.want || n != c.n {
			t.Errorf("%s %s:\n%s (%d), want %d", c.kind, c.body, got, n, c.n)
		}
	}
}

func FuzzMaskBody(f *testing.F) {
	f.Add("application/json", []byte(`{"token":"x"`))
	f.Add("multipart/form-data; boundary=B", []byte("--B"))
	f.Fuzz(func(t *testing.T, kind string, body []byte) { MaskBody(kind, body) })
}
