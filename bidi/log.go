package bidi

// LogEntryAdded is a console message, an uncaught exception or a browser's warning.
// https://w3c.github.io/webdriver-bidi/#event-log-entryAdded
var LogEntryAdded = event[LogEntry]("log.entryAdded")

// LogLevel is a level of severity.
type LogLevel string

// The levels.
const (
	LogLevelDebug LogLevel = "debug"
	LogLevelInfo  LogLevel = "info"
	LogLevelWarn  LogLevel = "warn"
	LogLevelError LogLevel = "error"
)

// LogEntry is an entry of any kind. Type is "console", which has a Method and Args,
// "javascript" (an uncaught exception), or another word. Text is empty where the
// browser sent null.
// https://w3c.github.io/webdriver-bidi/#type-log-LogEntry
type LogEntry struct {
	Level      LogLevel            `json:"level"`
	Source     ScriptSource        `json:"source"`
	Text       string              `json:"text"`
	Timestamp  Int                 `json:"timestamp"` // milliseconds since 1970
	StackTrace *ScriptStackTrace   `json:"stackTrace,omitzero"`
	Type       string              `json:"type"`
	Method     string              `json:"method,omitzero"`
	Args       []ScriptRemoteValue `json:"args,omitzero"`
}
