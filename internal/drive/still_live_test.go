package drive

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestADocumentWithoutScriptsIsReadAndWaitedFor(t *testing.T) {
	mux := http.NewServeMux()
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		w.Header().Set("Content-Security-Policy", "sandbox")
		fmt.Fprint(w, `<title>Static</title><style>@keyframes m{from{margin-left:0}to{margin-left:90px}}#b{animation:m .3s}</style>`+
			`<h1>Static</h1><button id=b>Moves</button><div style="height:3000px"></div><input id=c type=checkbox><a id=next href=/next>Next</a>`)
	})
	eachBrowser(t, mux, func(t *testing.T, tab *Tab, base string) {
		tab.Observe(true)
		start := time.Now()
		open(t, tab, base+"/")
		tree, err := tab.Tree(deadline(t, 3*time.Second), TreeOptions{})
		if err != nil || !strings.Contains(dump(tree), `heading "Static"`) {
			t.Fatalf("%v\n%s", err, dump(tree))
		}
		if _, err := tab.Wait(deadline(t, 2*time.Second), WaitSpec{Text: "Static"}); err != nil {
			t.Error(err)
		}
		click(t, tab, "#b")
		click(t, tab, "#c") // not seen by a reading where it now stands: its stillness is awaited
		if f := click(t, tab, "#next"); !f.Navigated || f.URL != base+"/next" {
			t.Errorf("link: %+v", f)
		}
		t.Logf("all of it in %v", time.Since(start))
	})
}
