package transcripts_test

import (
	"flag"
	"os"
	"testing"
)

var (
	record = flag.Bool("record", false, "record transcripts anew instead of replaying them")
	setup  = flag.String("browser", "", "set-up to record or run on: chrome or firefox")
)

func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(m.Run())
}
