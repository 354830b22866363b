package app

import (
	"bufio"
	"context"
	"errors"
	"net"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"

	"duet/dispatch"
	"duet/internal/fault"
	"duet/internal/launch"
)

// A daemon that hangs holds nobody: the user's Ctrl-C ends the wait at once, and
// without it the greeting is not waited for without end.
func TestASilentDaemonHoldsNobody(t *testing.T) {
	for _, c := range []struct {
		name string
		run  func(context.Context, net.Conn) error
		code fault.Code
	}{
		{"greeting", func(ctx context.Context, conn net.Conn) error {
			_, _, err := greet(ctx, conn, opening{Mode: modeMCP}, nil)
			return err
		}, fault.Timeout},
		{"answer", func(ctx context.Context, conn net.Conn) error {
			_, err := answerOf(ctx, conn, &lines{in: bufio.NewReader(conn)})
			return err
		}, fault.Timeout},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				go func() { // takes what is sent, and says nothing
					buf := make([]byte, 4096)
					for {
						if _, err := theirs.Read(buf); err != nil {
							return
						}
					}
				}()
				began := time.Now()
				if err := c.run(t.Context(), ours); !errors.Is(err, c.code) || time.Since(began) > 2*time.Minute {
					t.Errorf("after %v: %v", time.Since(began), err)
				}
				ours.Close()
			})
			synctest.Test(t, func(t *testing.T) {
				ours, theirs := net.Pipe()
				defer theirs.Close()
				ctx, cancel := context.WithCancel(t.Context())
				time.AfterFunc(time.Second, cancel)
				began := time.Now()
				if err := c.run(ctx, ours); !errors.Is(err, fault.Cancelled) || time.Since(began) != time.Second {
					t.Errorf("cancelled after %v: %v", time.Since(began), err)
				}
				ours.Close()
			})
		})
	}
}

// A call may take as long as its steps do: what the daemon says of it meanwhile keeps
// the caller waiting.
func TestALongCallIsWaitedFor(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ours, theirs := net.Pipe()
		go func() {
			for range 7200 {
				<-time.After(time.Second)
				_, _ = theirs.Write([]byte(`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}` + "\n"))
			}
			_, _ = theirs.Write([]byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"done"}],"isError":false}}` + "\n"))
		}()
		began := time.Now()
		r, err := answerOf(t.Context(), ours, &lines{in: bufio.NewReader(ours)})
		if err != nil || r.text != "done" || time.Since(began) != 2*time.Hour {
			t.Errorf("after %v: %+v, %v", time.Since(began), r, err)
		}
	})
}

// requests is a catalog that keeps what it is asked.
type requests struct{ last dispatch.Request }

func (r *requests) Tools() []dispatch.ToolInfo { return nil }
func (r *requests) Do(_ context.Context, q dispatch.Request) *dispatch.Result {
	r.last = q
	return &dispatch.Result{}
}

// The rules of a connection go with each of its calls, whatever its session
// allows others.
func TestRulesGoWithTheCall(t *testing.T) {
	var got requests
	guarded{&got, rules{Uploads: []string{"/a"}}}.Do(t.Context(), dispatch.Request{})
	if got.last.Judge == nil || got.last.MayLook == nil || got.last.MayLook("about:neterror") != nil || !errors.Is(got.last.Judge("file:///etc/passwd"), fault.URLBlocked) || len(got.last.Uploads) != 1 {
		t.Errorf("%+v", got.last)
	}
	guarded{&got, rules{policy: policy{AnyAddress: true}}}.Do(t.Context(), dispatch.Request{})
	if got.last.Judge != nil || len(got.last.Uploads) != 0 {
		t.Errorf("the user's own hand: %+v", got.last)
	}
}

// The file of the protocol log is closed with its browser.
func TestTheProtocolLogIsClosed(t *testing.T) {
	t.Setenv("DUET_WIRELOG", filepath.Join(t.TempDir(), "wire.log"))
	log, file, err := wireLog(launch.Endpoint{})
	if err != nil || log == nil {
		t.Fatal(err)
	}
	if err := file.Close(); err != nil {
		t.Fatal(err)
	}
	if err := file.Close(); !errors.Is(err, os.ErrClosed) {
		t.Errorf("it is no file: %v", err)
	}
	t.Setenv("DUET_WIRELOG", "")
	if log, file, err := wireLog(launch.Endpoint{}); log != nil || err != nil || file.Close() != nil {
		t.Errorf("without a log: %v %v", log, err)
	}
}
