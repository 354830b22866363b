package wirelog_test

import (
	"strings"
	"testing"

	"duet/internal/wirelog"
)

// The protocol log masks by names what the map does, and what pages write to their
// console.
func TestMaskByNames(t *testing.T) {
	for frame, secret := range map[string]string{
		`{"result":{"value":"{\"href\":\"http://h/p;jsessionid=CANARY?x=1\",\"b\":1}"}}`:                                           "CANARY",
		`{"url":"http://h/x?a=1;token=CANARY"}`:                                                                                    "CANARY",
		`{"url":"http://h/x?next=%2Fx%3Ftoken%3DCANARY"}`:                                                                          "CANARY",
		`{"url":"http://h/x?d=%7B%22token%22%3A%22CANARY%22%7D"}`:                                                                  "CANARY",
		`{"url":"http://h/x?X-Amz-Signature=CANARY"}`:                                                                              "CANARY",
		`{"method":"log.entryAdded","params":{"text":"{\"password\":\"CANARY\"}","args":[{"value":"{\"password\":\"CANARY\"}"}]}}`: "CANARY",
		`{"method":"log.entryAdded","params":{"text":"Authorization: Bearer CANARY"}}`:                                             "CANARY",
	} {
		if got := string(wirelog.Mask([]byte(frame))); strings.Contains(got, secret) || !strings.Contains(got, wirelog.Masked) {
			t.Errorf("%s\nis %s", frame, got)
		}
	}
}
