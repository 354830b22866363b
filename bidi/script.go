package bidi

// The commands of the module script.
var (
	// ScriptAddPreloadScript runs a function in every document that is created from
	// now on, before the page's own scripts.
	// https://w3c.github.io/webdriver-bidi/#command-script-addPreloadScript
	ScriptAddPreloadScript = command[ScriptAddPreloadScriptParameters, ScriptAddPreloadScriptResult]("script.addPreloadScript")

	// ScriptDisown lets go of objects that a realm keeps for us.
	// https://w3c.github.io/webdriver-bidi/#command-script-disown
	ScriptDisown = command[ScriptDisownParameters, EmptyResult]("script.disown")

	// ScriptCallFunction calls a function with arguments in a realm.
	// https://w3c.github.io/webdriver-bidi/#command-script-callFunction
	ScriptCallFunction = command[ScriptCallFunctionParameters, ScriptEvaluateResult]("script.callFunction")

	// ScriptEvaluate evaluates an expression in a realm.
	// https://w3c.github.io/webdriver-bidi/#command-script-evaluate
	ScriptEvaluate = command[ScriptEvaluateParameters, ScriptEvaluateResult]("script.evaluate")

	// ScriptGetRealms lists realms.
	// https://w3c.github.io/webdriver-bidi/#command-script-getRealms
	ScriptGetRealms = command[ScriptGetRealmsParameters, ScriptGetRealmsResult]("script.getRealms")

	// ScriptRemovePreloadScript ends what ScriptAddPreloadScript began.
	// https://w3c.github.io/webdriver-bidi/#command-script-removePreloadScript
	ScriptRemovePreloadScript = command[ScriptRemovePreloadScriptParameters, EmptyResult]("script.removePreloadScript")
)

// The events of the module script.
var (
	// ScriptMessage is a call of a channel function.
	// https://w3c.github.io/webdriver-bidi/#event-script-message
	ScriptMessage = event[ScriptMessageParameters]("script.message")

	// ScriptRealmCreated announces a realm.
	// https://w3c.github.io/webdriver-bidi/#event-script-realmCreated
	ScriptRealmCreated = event[ScriptRealmInfo]("script.realmCreated")

	// ScriptRealmDestroyed ends a realm.
	// https://w3c.github.io/webdriver-bidi/#event-script-realmDestroyed
	ScriptRealmDestroyed = event[ScriptRealmDestroyedParameters]("script.realmDestroyed")
)

// ScriptTarget says where a script runs: ScriptContextTarget or ScriptRealmTarget.
// https://w3c.github.io/webdriver-bidi/#type-script-Target
type ScriptTarget interface{ scriptTarget() }

// ScriptContextTarget is the current document of a context, in the page's own realm
// or in the named sandbox.
type ScriptContextTarget struct {
	Context Context `json:"context"`
	Sandbox string  `json:"sandbox,omitzero"`
}

// ScriptRealmTarget is one realm.
type ScriptRealmTarget struct {
	Realm Realm `json:"realm"`
}

func (ScriptContextTarget) scriptTarget() {}
func (ScriptRealmTarget) scriptTarget()   {}

// ScriptResultOwnership says whether a result's objects are kept for us.
type ScriptResultOwnership string

// The ownerships.
const (
	ScriptResultOwnershipRoot ScriptResultOwnership = "root"
	ScriptResultOwnershipNone ScriptResultOwnership = "none"
)

// ScriptSerializationOptions bounds what of a result is serialized. A nil depth is
// the default, a depth that is negative has no bound.
// https://w3c.github.io/webdriver-bidi/#type-script-SerializationOptions
type ScriptSerializationOptions struct {
	MaxDomDepth       *Depth `json:"maxDomDepth,omitzero"`
	MaxObjectDepth    *Depth `json:"maxObjectDepth,omitzero"`
	IncludeShadowTree string `json:"includeShadowTree,omitzero"` // none, open or all
}

// Depth is a number of levels; a negative one is written as null: no bound.
type Depth int

// MarshalJSON writes the depth.
func (d Depth) MarshalJSON() ([]byte, error) {
	if d < 0 {
		return []byte("null"), nil
	}
	return encode(int(d))
}

// ScriptAddPreloadScriptParameters are the parameters of script.addPreloadScript.
type ScriptAddPreloadScriptParameters struct {
	FunctionDeclaration string               `json:"functionDeclaration"`
	Arguments           []ScriptChannelValue `json:"arguments,omitzero"`
	Contexts            []Context            `json:"contexts,omitzero"`
	UserContexts        []UserContext        `json:"userContexts,omitzero"`
	Sandbox             string               `json:"sandbox,omitzero"`
}

// ScriptAddPreloadScriptResult is the result of script.addPreloadScript.
type ScriptAddPreloadScriptResult struct {
	Script PreloadScript `json:"script"`
}

// ScriptRemovePreloadScriptParameters are the parameters of
// script.removePreloadScript.
type ScriptRemovePreloadScriptParameters struct {
	Script PreloadScript `json:"script"`
}

// ScriptDisownParameters are the parameters of script.disown.
type ScriptDisownParameters struct {
	Handles List[Handle] `json:"handles"`
	Target  ScriptTarget `json:"target"`
}

// ScriptCallFunctionParameters are the parameters of script.callFunction.
type ScriptCallFunctionParameters struct {
	FunctionDeclaration  string                      `json:"functionDeclaration"`
	AwaitPromise         bool                        `json:"awaitPromise"`
	Target               ScriptTarget                `json:"target"`
	Arguments            []ScriptLocalValue          `json:"arguments,omitzero"`
	ResultOwnership      ScriptResultOwnership       `json:"resultOwnership,omitzero"`
	SerializationOptions *ScriptSerializationOptions `json:"serializationOptions,omitzero"`
	This                 ScriptLocalValue            `json:"this,omitzero"`
	UserActivation       bool                        `json:"userActivation,omitzero"`
}

// ScriptEvaluateParameters are the parameters of script.evaluate.
type ScriptEvaluateParameters struct {
	Expression           string                      `json:"expression"`
	Target               ScriptTarget                `json:"target"`
	AwaitPromise         bool                        `json:"awaitPromise"`
	ResultOwnership      ScriptResultOwnership       `json:"resultOwnership,omitzero"`
	SerializationOptions *ScriptSerializationOptions `json:"serializationOptions,omitzero"`
	UserActivation       bool                        `json:"userActivation,omitzero"`
}

// ScriptEvaluateResult is what a script came to: with Type "success" a Result, with
// "exception" the ExceptionDetails.
// https://w3c.github.io/webdriver-bidi/#type-script-EvaluateResult
type ScriptEvaluateResult struct {
	Type             string                  `json:"type"`
	Result           ScriptRemoteValue       `json:"result,omitzero"`
	ExceptionDetails *ScriptExceptionDetails `json:"exceptionDetails,omitzero"`
	Realm            Realm                   `json:"realm"`
}

// ScriptExceptionDetails is a throw.
// https://w3c.github.io/webdriver-bidi/#type-script-ExceptionDetails
type ScriptExceptionDetails struct {
	ColumnNumber int               `json:"columnNumber"`
	Exception    ScriptRemoteValue `json:"exception"`
	LineNumber   int               `json:"lineNumber"`
	StackTrace   ScriptStackTrace  `json:"stackTrace"`
	Text         string            `json:"text"`
}

// ScriptStackTrace is a call stack, innermost frame first.
type ScriptStackTrace struct {
	CallFrames []ScriptStackFrame `json:"callFrames"`
}

// ScriptStackFrame is one frame of a call stack; lines and columns count from 0.
type ScriptStackFrame struct {
	ColumnNumber int    `json:"columnNumber"`
	FunctionName string `json:"functionName"`
	LineNumber   int    `json:"lineNumber"`
	URL          string `json:"url"`
}

// ScriptRealmType is a kind of realm.
type ScriptRealmType string

// The kinds of realms.
const (
	ScriptRealmTypeWindow          ScriptRealmType = "window"
	ScriptRealmTypeDedicatedWorker ScriptRealmType = "dedicated-worker"
	ScriptRealmTypeSharedWorker    ScriptRealmType = "shared-worker"
	ScriptRealmTypeServiceWorker   ScriptRealmType = "service-worker"
	ScriptRealmTypeWorker          ScriptRealmType = "worker"
	ScriptRealmTypePaintWorklet    ScriptRealmType = "paint-worklet"
	ScriptRealmTypeAudioWorklet    ScriptRealmType = "audio-worklet"
	ScriptRealmTypeWorklet         ScriptRealmType = "worklet"
)

// ScriptGetRealmsParameters are the parameters of script.getRealms.
type ScriptGetRealmsParameters struct {
	Context Context         `json:"context,omitzero"`
	Type    ScriptRealmType `json:"type,omitzero"`
}

// ScriptGetRealmsResult is the result of script.getRealms.
type ScriptGetRealmsResult struct {
	Realms []ScriptRealmInfo `json:"realms"`
}

// ScriptRealmInfo is a realm of any kind. Context, UserContext and Sandbox are a
// window's, Owners a dedicated worker's.
// https://w3c.github.io/webdriver-bidi/#type-script-RealmInfo
type ScriptRealmInfo struct {
	Realm       Realm           `json:"realm"`
	Origin      string          `json:"origin"`
	Type        ScriptRealmType `json:"type"`
	Context     Context         `json:"context,omitzero"`
	UserContext UserContext     `json:"userContext,omitzero"`
	Sandbox     string          `json:"sandbox,omitzero"`
	Owners      []Realm         `json:"owners,omitzero"`
}

// ScriptSource says where a message or log entry came from.
type ScriptSource struct {
	Realm       Realm       `json:"realm"`
	Context     Context     `json:"context,omitzero"`
	UserContext UserContext `json:"userContext,omitzero"`
}

// ScriptMessageParameters is the event script.message.
type ScriptMessageParameters struct {
	Channel Channel           `json:"channel"`
	Data    ScriptRemoteValue `json:"data"`
	Source  ScriptSource      `json:"source"`
}

// ScriptRealmDestroyedParameters is the event script.realmDestroyed.
type ScriptRealmDestroyedParameters struct {
	Realm Realm `json:"realm"`
}
