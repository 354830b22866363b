package trace_test

import (
	"archive/zip"
	"path"
	"strings"
	"testing"

	"github.com/goccy/go-json"
)

// The archive has what Vibium's player reads of one: every event a line of JSON; each
// command with its title and both its ends; frames whose pictures lie under
// resources with their kind in the name; messages as the protocol has them; requests
// as entries of a HAR with a time of their own.
func TestArchiveHasWhatVibiumsPlayerReads(t *testing.T) {
	z, err := zip.OpenReader(archived(t, "testdata/example", nil))
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	resources, lines := map[string]bool{}, map[string][]map[string]any{}
	for _, f := range z.File {
		if strings.HasPrefix(f.Name, "resources/") {
			resources[path.Base(f.Name)] = true
		}
		suffix := path.Ext(f.Name)
		if suffix != ".trace" && suffix != ".network" {
			continue
		}
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		d := json.NewDecoder(r)
		for d.More() {
			var event map[string]any
			if err := d.Decode(&event); err != nil {
				t.Fatal(err)
			}
			lines[suffix] = append(lines[suffix], event)
		}
		_ = r.Close()
	}
	count := map[string]int{}
	open := map[any]bool{}
	for i, e := range lines[".trace"] {
		kind, _ := e["type"].(string)
		if method, _ := e["method"].(string); kind == "event" {
			kind += " " + method
		}
		count[kind]++
		switch kind {
		case "context-options":
			if i != 0 {
				t.Error("the options do not come first")
			}
		case "before":
			open[e["callId"]] = true
			if title, _ := e["title"].(string); title == "" || e["startTime"] == nil {
				t.Errorf("a command without a title or a time: %v", e)
			}
		case "after":
			if !open[e["callId"]] || e["endTime"] == nil {
				t.Errorf("an end without a beginning or a time: %v", e)
			}
		case "screencast-frame":
			if name, _ := e["sha1"].(string); !resources[name] || path.Ext(name) != ".png" || e["timestamp"] == nil || e["width"] == nil {
				t.Errorf("a frame without its picture: %v", e)
			}
		case "event log.entryAdded":
			params, _ := e["params"].(map[string]any)
			args, _ := params["args"].([]any)
			if arg, _ := append(args, nil)[0].(map[string]any); arg["value"] != params["text"] || params["level"] == nil || e["time"] == nil {
				t.Errorf("a message: %v", e)
			}
		}
	}
	if count["context-options"] != 1 || count["before"] != 6 || count["screencast-frame"] == 0 || count["event log.entryAdded"] == 0 {
		t.Errorf("there are %v", count)
	}
	for _, e := range lines[".network"] {
		s, _ := e["snapshot"].(map[string]any)
		request, _ := s["request"].(map[string]any)
		if response, _ := s["response"].(map[string]any); s["_monotonicTime"] == nil || request["url"] == nil || response["status"] == nil {
			t.Errorf("a request: %v", e)
		}
	}
	if len(lines[".network"]) == 0 {
		t.Error("no requests")
	}
}
