package drive

import (
	"bytes"
	"strings"

	"github.com/goccy/go-json"
)

// types are the content types of file names, for bodies that come without one.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".htm": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
	".js": "text/javascript; charset=utf-8", ".mjs": "text/javascript; charset=utf-8", ".json": "application/json",
	".xml": "application/xml", ".txt": "text/plain; charset=utf-8", ".csv": "text/csv; charset=utf-8",
	".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg", ".jpeg": "image/jpeg", ".gif": "image/gif",
	".webp": "image/webp", ".ico": "image/x-icon", ".woff": "font/woff", ".woff2": "font/woff2", ".pdf": "application/pdf",
	".wasm": "application/wasm", ".mp4": "video/mp4", ".webm": "video/webm", ".mp3": "audio/mpeg", ".zip": "application/zip",
}

// contentType is that of a reply: the one given, else that of the file's name, else
// of the address, else a guess by how the body begins.
func (r *MockRule) contentType(h heldRequest, body []byte) string {
	if r.Type != "" || len(body) == 0 {
		return r.Type
	}
	path, _, _ := strings.Cut(h.url, "?")
	for _, name := range []string{r.FileName, path} {
		if t := types[strings.ToLower(extension(name))]; t != "" {
			return t
		}
	}
	switch start := bytes.TrimSpace(body[:min(len(body), 64)]); {
	case r.FileName != "":
		return "application/octet-stream"
	case bytes.HasPrefix(start, []byte("<")):
		return types[".html"]
	case len(start) > 0 && (start[0] == '{' || start[0] == '[') && json.Valid(body):
		return types[".json"]
	}
	return types[".txt"]
}

// extension is what follows the last dot of the last segment, with the dot.
func extension(name string) string {
	name = name[strings.LastIndexByte(name, '/')+1:]
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i:]
	}
	return ""
}
