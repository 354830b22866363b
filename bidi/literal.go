package bidi

// The discriminators of union variants. Each is a type of its own that writes one
// word, so that a variant cannot carry the wrong one.
type (
	isAccessibility       struct{}
	isCSS                 struct{}
	isContext             struct{}
	isInnerText           struct{}
	isXPath               struct{}
	isElement             struct{}
	isBox                 struct{}
	isPointer             struct{}
	isNone                struct{}
	isKey                 struct{}
	isWheel               struct{}
	isPause               struct{}
	isKeyDown             struct{}
	isKeyUp               struct{}
	isPointerUp           struct{}
	isPointerDown         struct{}
	isPointerMove         struct{}
	isScroll              struct{}
	isUndefined           struct{}
	isNull                struct{}
	isString              struct{}
	isNumber              struct{}
	isBoolean             struct{}
	isBigInt              struct{}
	isChannel             struct{}
	isArray               struct{}
	isDate                struct{}
	isMap                 struct{}
	isObject              struct{}
	isRegExp              struct{}
	isSet                 struct{}
	isPath                struct{}
	isArchivePath         struct{}
	isBase64              struct{}
	isPassword            struct{}
	isPattern             struct{}
	isStorageKey          struct{}
	isAllowed             struct{}
	isDenied              struct{}
	isOffline             struct{}
	isPositionUnavailable struct{}
)

func (isAccessibility) MarshalJSON() ([]byte, error) { return []byte(`"accessibility"`), nil }
func (isCSS) MarshalJSON() ([]byte, error)           { return []byte(`"css"`), nil }
func (isContext) MarshalJSON() ([]byte, error)       { return []byte(`"context"`), nil }
func (isInnerText) MarshalJSON() ([]byte, error)     { return []byte(`"innerText"`), nil }
func (isXPath) MarshalJSON() ([]byte, error)         { return []byte(`"xpath"`), nil }
func (isElement) MarshalJSON() ([]byte, error)       { return []byte(`"element"`), nil }
func (isBox) MarshalJSON() ([]byte, error)           { return []byte(`"box"`), nil }
func (isPointer) MarshalJSON() ([]byte, error)       { return []byte(`"pointer"`), nil }
func (isNone) MarshalJSON() ([]byte, error)          { return []byte(`"none"`), nil }
func (isKey) MarshalJSON() ([]byte, error)           { return []byte(`"key"`), nil }
func (isWheel) MarshalJSON() ([]byte, error)         { return []byte(`"wheel"`), nil }
func (isPause) MarshalJSON() ([]byte, error)         { return []byte(`"pause"`), nil }
func (isKeyDown) MarshalJSON() ([]byte, error)       { return []byte(`"keyDown"`), nil }
func (isKeyUp) MarshalJSON() ([]byte, error)         { return []byte(`"keyUp"`), nil }
func (isPointerUp) MarshalJSON() ([]byte, error)     { return []byte(`"pointerUp"`), nil }
func (isPointerDown) MarshalJSON() ([]byte, error)   { return []byte(`"pointerDown"`), nil }
func (isPointerMove) MarshalJSON() ([]byte, error)   { return []byte(`"pointerMove"`), nil }
func (isScroll) MarshalJSON() ([]byte, error)        { return []byte(`"scroll"`), nil }
func (isUndefined) MarshalJSON() ([]byte, error)     { return []byte(`"undefined"`), nil }
func (isNull) MarshalJSON() ([]byte, error)          { return []byte(`"null"`), nil }
func (isString) MarshalJSON() ([]byte, error)        { return []byte(`"string"`), nil }
func (isNumber) MarshalJSON() ([]byte, error)        { return []byte(`"number"`), nil }
func (isBoolean) MarshalJSON() ([]byte, error)       { return []byte(`"boolean"`), nil }
func (isBigInt) MarshalJSON() ([]byte, error)        { return []byte(`"bigint"`), nil }
func (isChannel) MarshalJSON() ([]byte, error)       { return []byte(`"channel"`), nil }
func (isArray) MarshalJSON() ([]byte, error)         { return []byte(`"array"`), nil }
func (isDate) MarshalJSON() ([]byte, error)          { return []byte(`"date"`), nil }
func (isMap) MarshalJSON() ([]byte, error)           { return []byte(`"map"`), nil }
func (isObject) MarshalJSON() ([]byte, error)        { return []byte(`"object"`), nil }
func (isRegExp) MarshalJSON() ([]byte, error)        { return []byte(`"regexp"`), nil }
func (isSet) MarshalJSON() ([]byte, error)           { return []byte(`"set"`), nil }
func (isPath) MarshalJSON() ([]byte, error)          { return []byte(`"path"`), nil }
func (isArchivePath) MarshalJSON() ([]byte, error)   { return []byte(`"archivePath"`), nil }
func (isBase64) MarshalJSON() ([]byte, error)        { return []byte(`"base64"`), nil }
func (isPassword) MarshalJSON() ([]byte, error)      { return []byte(`"password"`), nil }
func (isPattern) MarshalJSON() ([]byte, error)       { return []byte(`"pattern"`), nil }
func (isStorageKey) MarshalJSON() ([]byte, error)    { return []byte(`"storageKey"`), nil }
func (isAllowed) MarshalJSON() ([]byte, error)       { return []byte(`"allowed"`), nil }
func (isDenied) MarshalJSON() ([]byte, error)        { return []byte(`"denied"`), nil }
func (isOffline) MarshalJSON() ([]byte, error)       { return []byte(`"offline"`), nil }
func (isPositionUnavailable) MarshalJSON() ([]byte, error) {
	return []byte(`"positionUnavailable"`), nil
}
