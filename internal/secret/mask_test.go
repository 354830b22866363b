package secret

import "testing"

// What its name gives away stands in no text; what merely looks alike stays.
func TestMaskNamed(t *testing.T) {
	for text, want := range map[string]string{
		`see http://h/x?token=abcd1`:                                                        `see http://h/x?token=•••`,
		`http://bob:pa@h/ and /p;jsessionid=A1?x=1`:                                         `http://•••@h/ and /p;jsessionid=•••`,
		`/x?a=1;token=b2`:                                                                   `/x?a=1;token=•••`,
		`/x#access_token=q&x=1`:                                                             `/x#access_token=•••&x=1`,
		`/r?next=%2Fx%3Ftoken%3Dabc%26y%3D2&z=1`:                                            `/r?next=%2Fx%3Ftoken%3D•••%26y%3D2&z=1`,
		`/r?n=%252Fx%253Ftoken%253Dabc`:                                                     `/r?n=%252Fx%253Ftoken%253D•••`,
		`http://h/cb?code=SplxlOBeZQQYbYS6WxSbIA&state=xyz&x=1`:                             `http://h/cb?code=•••&state=•••&x=1`,
		`see /done?state=af0ifjsldkj&code=4%2F0AX4XfWh next`:                                `see /done?state=•••&code=••• next`,
		`http://h/cb#code=Splxl0BeZQQY&session_state=1a&iss=http://i`:                       `http://h/cb#code=•••&session_state=•••&iss=http://i`,
		`http://h/oauth/callback?code=Splxl0BeZQQY`:                                         `http://h/oauth/callback?code=•••`,
		`/go?to=https%3A%2F%2Fh%2Fcb%3Fcode%3DSplxl0BeZQQY%26state%3Dxyz1`:                  `/go?to=https%3A%2F%2Fh%2Fcb%3Fcode%3D•••%26state%3D•••`,
		`/x?d={"token":"abc"}`:                                                              `/x?d={"token":"•••"}`,
		`/x?d=%7B%22token%22%3A%22abc%22%7D`:                                                `/x?d=%7B%22token%22%3A%22•••%22%7D`,
		`/x?X-Amz-Signature=0af&X-Amz-Date=2020`:                                            `/x?X-Amz-Signature=•••&X-Amz-Date=2020`,
		`{"password":"a\"b","user":"u","token":12,"pin":null}`:                              `{"password":"•••","user":"u","token":•••,"pin":null}`,
		`{\"password\":\"a\",\"x\":1}`:                                                      `{\"password\":\"•••\",\"x\":1}`,
		`{'password': 'a b', x: 1}`:                                                         `{'password': '•••', x: 1}`,
		`{password: "a", headers: {Authorization: "Basic Q="}}`:                             `{password: "•••", headers: {Authorization: "•••"}}`,
		`{"secret":{"a":[1,2]},"b":1}`:                                                      `{"secret":•••,"b":1}`,
		`{"password":"cut of`:                                                               `{"password":"•••`,
		`Authorization: Bearer abc.def`:                                                     `Authorization: •••`,
		`error: Set-Cookie: sid=abc; Path=/`:                                                `error: Set-Cookie: •••`,
		`X-Api-Key: abc, next`:                                                              `X-Api-Key: •••, next`,
		"key -----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIB\n-----END RSA PRIVATE KEY----- ok": "key -----BEGIN RSA PRIVATE KEY-----•••-----END RSA PRIVATE KEY----- ok",
		`-----BEGIN PRIVATE KEY-----\nMIIE cut of`:                                          `-----BEGIN PRIVATE KEY-----•••`,
		`user eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.SflKxw_RJ-s signed in`:                   `user ••• signed in`,
		`got Bearer abcdef123456`:                                                           `got Bearer •••`,
		`boom token=abc password=d&x=1`:                                                     `boom token=••• password=•••&x=1`,
	} {
		if got := MaskNamed(text); got != want {
			t.Errorf("%s\n got %s\nwant %s", text, got, want)
		}
	}
	for _, text := range []string{
		`Password: at least 8 characters`, `eyJ.eyJ.x`, `-----BEGIN PUBLIC KEY-----`, `Bearer authentication is needed`, `Basic authentication`, `the session: it ended`, `{"page":"token","author":"x"}`,
		`fill textbox "Password" holds "x"`, `{"token":true}`, `/x?page=1&keyboard=us`, `/error?code=404`, `/login?code=404&state=open`, `/shop?code=SUMMER25X`,
		`/address?state=CA&code=US`, `/callback?code=123456`, `/issues?state=open&scope=all`, `/x?zipcode=1020AB12&state=NY`, `Content-Type: text/html`, `key=Enter`, `"password"`, `a "token": `, ``,
	} {
		if got := MaskNamed(text); got != text {
			t.Errorf("%s became %s", text, got)
		}
	}
}

func FuzzMaskNamed(f *testing.F) {
	f.Add(`{"password":"a\"`)
	f.Add(`token: 'x`)
	f.Fuzz(func(_ *testing.T, text string) { MaskNamed(text) })
}
