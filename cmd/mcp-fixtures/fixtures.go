package main

import (
	"context"
	"time"

	"github.com/goccy/go-json"

	"duet/dispatch"
)

// fixtures is the catalog of the suite's tools, as far as they need nothing that
// duet does not declare.
type fixtures struct{}

const (
	noArguments = `{"type":"object","additionalProperties":false}`
	// The smallest picture and the shortest sound that are whole files.
	png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	wav = "UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQIAAAAAAA=="
)

// schema2020 carries the keywords that a server must pass on as they are.
const schema2020 = `{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",` +
	`"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},` +
	`"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},` +
	`"phone":{"type":"string"},"email":{"type":"string"}},` +
	`"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],` +
	`"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},` +
	`"then":{"required":["phone"]},"else":{"required":["email"]},"additionalProperties":false}`

type fixture struct {
	schema  string
	content string // the content array's members
	fails   bool
	slow    bool
}

var tools = map[string]fixture{
	"test_simple_text":       {content: `{"type":"text","text":"This is a simple text response for testing."}`},
	"test_image_content":     {content: `{"type":"image","mimeType":"image/png","data":"` + png + `"}`},
	"test_audio_content":     {content: `{"type":"audio","mimeType":"audio/wav","data":"` + wav + `"}`},
	"test_embedded_resource": {content: `{"type":"resource","resource":{"uri":"test://embedded-resource","mimeType":"text/plain","text":"This is an embedded resource content."}}`},
	"test_multiple_content_types": {content: `{"type":"text","text":"Multiple content types test:"},` +
		`{"type":"image","mimeType":"image/png","data":"` + png + `"},` +
		`{"type":"resource","resource":{"uri":"test://mixed-content-resource","mimeType":"application/json","text":"{\"test\":\"data\",\"value\":123}"}}`},
	"test_error_handling":     {content: `{"type":"text","text":"This tool intentionally returns an error for testing"}`, fails: true},
	"test_tool_with_progress": {content: `{"type":"text","text":"done"}`, slow: true},
	// The server must refuse the first for a client without sampling, send nothing
	// but progress while the second runs, and log nothing for the third.
	"test_missing_capability":    {content: `{"type":"text","text":"done"}`},
	"test_streaming_elicitation": {content: `{"type":"text","text":"done"}`, slow: true},
	"test_logging_tool":          {content: `{"type":"text","text":"done"}`},
	"json_schema_2020_12_tool": {
		content: `{"type":"text","text":"done"}`, schema: schema2020,
	},
}

// order is the list's: a tool without arguments first.
var order = []string{
	"test_simple_text", "json_schema_2020_12_tool", "test_audio_content", "test_embedded_resource", "test_error_handling",
	"test_image_content", "test_logging_tool", "test_missing_capability", "test_multiple_content_types",
	"test_streaming_elicitation", "test_tool_with_progress",
}

// Tools lists the fixtures.
func (fixtures) Tools() []dispatch.ToolInfo {
	var infos []dispatch.ToolInfo
	for _, name := range order {
		schema := tools[name].schema
		if schema == "" {
			schema = noArguments
		}
		infos = append(infos, dispatch.ToolInfo{
			Name: name, Description: "A fixture of the conformance suite.", Schema: json.RawMessage(schema), ReadOnly: true, Idempotent: true,
		})
	}
	return infos
}

// Needs names the one capability that a fixture relies on.
func (fixtures) Needs(tool string) string {
	if tool == "test_missing_capability" {
		return "sampling"
	}
	return ""
}

// Do answers a fixture with its content.
func (fixtures) Do(ctx context.Context, r dispatch.Request) *dispatch.Result {
	f, ok := tools[r.Tool]
	if !ok {
		return &dispatch.Result{ArgError: &dispatch.ArgError{
			Message: "unknown tool " + r.Tool,
			Data:    dispatch.ArgData{Tool: r.Tool, Rule: "unknown_tool", Allowed: order},
		}}
	}
	if f.slow {
		for done := range 5 {
			if r.Progress != nil {
				r.Progress(float64(25*done), 100, "")
			}
			select {
			case <-ctx.Done():
				return &dispatch.Result{IsError: true, Text: "[" + `{"type":"text","text":"cancelled"}` + "]"}
			case <-time.After(50 * time.Millisecond):
			}
		}
	}
	return &dispatch.Result{Text: "[" + f.content + "]", IsError: f.fails}
}

// Content takes a fixture's content apart again.
func (fixtures) Content(r *dispatch.Result) []json.RawMessage {
	var items []json.RawMessage
	if err := json.Unmarshal([]byte(r.Text), &items); err != nil {
		return nil
	}
	return items
}
