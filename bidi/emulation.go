package bidi

// The commands of the module emulation. Each takes contexts or user contexts, not
// both, and null (a nil pointer) gives back the browser's own behaviour.
var (
	// EmulationSetForcedColorsModeThemeOverride emulates a high-contrast theme.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setForcedColorsModeThemeOverride
	EmulationSetForcedColorsModeThemeOverride = command[EmulationSetForcedColorsModeThemeOverrideParameters, EmptyResult]("emulation.setForcedColorsModeThemeOverride")

	// EmulationSetGeolocationOverride sets the place, or its absence.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setGeolocationOverride
	EmulationSetGeolocationOverride = command[EmulationSetGeolocationOverrideParameters, EmptyResult]("emulation.setGeolocationOverride")

	// EmulationSetLocaleOverride sets the language.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setLocaleOverride
	EmulationSetLocaleOverride = command[EmulationSetLocaleOverrideParameters, EmptyResult]("emulation.setLocaleOverride")

	// EmulationSetMediaFeaturesOverride sets what media queries see.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setMediaFeaturesOverride
	EmulationSetMediaFeaturesOverride = command[EmulationSetMediaFeaturesOverrideParameters, EmptyResult]("emulation.setMediaFeaturesOverride")

	// EmulationSetNetworkConditions takes pages offline.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setNetworkConditions
	EmulationSetNetworkConditions = command[EmulationSetNetworkConditionsParameters, EmptyResult]("emulation.setNetworkConditions")

	// EmulationSetScreenSettingsOverride sets the size of the screen.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setScreenSettingsOverride
	EmulationSetScreenSettingsOverride = command[EmulationSetScreenSettingsOverrideParameters, EmptyResult]("emulation.setScreenSettingsOverride")

	// EmulationSetScreenOrientationOverride turns the screen.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setScreenOrientationOverride
	EmulationSetScreenOrientationOverride = command[EmulationSetScreenOrientationOverrideParameters, EmptyResult]("emulation.setScreenOrientationOverride")

	// EmulationSetUserAgentOverride sets the user agent string.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setUserAgentOverride
	EmulationSetUserAgentOverride = command[EmulationSetUserAgentOverrideParameters, EmptyResult]("emulation.setUserAgentOverride")

	// EmulationSetViewportMetaOverride obeys the viewport meta element, as phones do.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setViewportMetaOverride
	EmulationSetViewportMetaOverride = command[EmulationSetViewportMetaOverrideParameters, EmptyResult]("emulation.setViewportMetaOverride")

	// EmulationSetScriptingEnabled switches the scripts of pages off.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setScriptingEnabled
	EmulationSetScriptingEnabled = command[EmulationSetScriptingEnabledParameters, EmptyResult]("emulation.setScriptingEnabled")

	// EmulationSetScrollbarTypeOverride chooses classic or overlay scrollbars.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setScrollbarTypeOverride
	EmulationSetScrollbarTypeOverride = command[EmulationSetScrollbarTypeOverrideParameters, EmptyResult]("emulation.setScrollbarTypeOverride")

	// EmulationSetTimezoneOverride sets the time zone.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setTimezoneOverride
	EmulationSetTimezoneOverride = command[EmulationSetTimezoneOverrideParameters, EmptyResult]("emulation.setTimezoneOverride")

	// EmulationSetTouchOverride emulates a touch screen.
	// https://w3c.github.io/webdriver-bidi/#command-emulation-setTouchOverride
	EmulationSetTouchOverride = command[EmulationSetTouchOverrideParameters, EmptyResult]("emulation.setTouchOverride")
)

// EmulationForcedColorsModeTheme is a theme of forced colours.
type EmulationForcedColorsModeTheme string

// The themes.
const (
	EmulationForcedColorsModeThemeLight EmulationForcedColorsModeTheme = "light"
	EmulationForcedColorsModeThemeDark  EmulationForcedColorsModeTheme = "dark"
)

// EmulationSetForcedColorsModeThemeOverrideParameters are the parameters of
// emulation.setForcedColorsModeThemeOverride.
type EmulationSetForcedColorsModeThemeOverrideParameters struct {
	Theme        *EmulationForcedColorsModeTheme `json:"theme"`
	Contexts     []Context                       `json:"contexts,omitzero"`
	UserContexts []UserContext                   `json:"userContexts,omitzero"`
}

// EmulationSetGeolocationOverrideParameters are the parameters of
// emulation.setGeolocationOverride: coordinates, which may be Null, or an error.
type EmulationSetGeolocationOverrideParameters struct {
	Coordinates  *OrNull[EmulationGeolocationCoordinates] `json:"coordinates,omitzero"`
	Error        *EmulationGeolocationPositionError       `json:"error,omitzero"`
	Contexts     []Context                                `json:"contexts,omitzero"`
	UserContexts []UserContext                            `json:"userContexts,omitzero"`
}

// EmulationGeolocationCoordinates is a place.
type EmulationGeolocationCoordinates struct {
	Latitude         float64  `json:"latitude"`
	Longitude        float64  `json:"longitude"`
	Accuracy         *float64 `json:"accuracy,omitzero"` // metres
	Altitude         *float64 `json:"altitude,omitzero"`
	AltitudeAccuracy *float64 `json:"altitudeAccuracy,omitzero"`
	Heading          *float64 `json:"heading,omitzero"` // degrees from north
	Speed            *float64 `json:"speed,omitzero"`   // metres a second
}

// EmulationGeolocationPositionError says that the place cannot be found.
type EmulationGeolocationPositionError struct {
	Type isPositionUnavailable `json:"type"`
}

// EmulationSetLocaleOverrideParameters are the parameters of
// emulation.setLocaleOverride.
type EmulationSetLocaleOverrideParameters struct {
	Locale       *string       `json:"locale"` // BCP 47
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetMediaFeaturesOverrideParameters are the parameters of
// emulation.setMediaFeaturesOverride.
type EmulationSetMediaFeaturesOverrideParameters struct {
	Features     EmulationMediaFeatures `json:"features"`
	Contexts     []Context              `json:"contexts,omitzero"`
	UserContexts []UserContext          `json:"userContexts,omitzero"`
}

// EmulationMediaFeatures maps the name of a media feature (prefers-color-scheme) to
// its value, a string or a number; a nil value is the browser's own, and so is a
// nil map for all of them. The specification lists the names and their values.
// https://w3c.github.io/webdriver-bidi/#command-emulation-setMediaFeaturesOverride
type EmulationMediaFeatures map[string]any

// EmulationSetNetworkConditionsParameters are the parameters of
// emulation.setNetworkConditions.
type EmulationSetNetworkConditionsParameters struct {
	NetworkConditions *EmulationNetworkConditionsOffline `json:"networkConditions"`
	Contexts          []Context                          `json:"contexts,omitzero"`
	UserContexts      []UserContext                      `json:"userContexts,omitzero"`
}

// EmulationNetworkConditionsOffline is no network.
type EmulationNetworkConditionsOffline struct {
	Type isOffline `json:"type"`
}

// EmulationScreenArea is a screen's size.
type EmulationScreenArea struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// EmulationSetScreenSettingsOverrideParameters are the parameters of
// emulation.setScreenSettingsOverride.
type EmulationSetScreenSettingsOverrideParameters struct {
	ScreenArea   *EmulationScreenArea `json:"screenArea"`
	Contexts     []Context            `json:"contexts,omitzero"`
	UserContexts []UserContext        `json:"userContexts,omitzero"`
}

// EmulationScreenOrientationNatural is how a screen is built.
type EmulationScreenOrientationNatural string

// The ways that a screen is built.
const (
	EmulationScreenOrientationNaturalPortrait  EmulationScreenOrientationNatural = "portrait"
	EmulationScreenOrientationNaturalLandscape EmulationScreenOrientationNatural = "landscape"
)

// EmulationScreenOrientationType is how a screen is held.
type EmulationScreenOrientationType string

// The ways that a screen is held.
const (
	EmulationScreenOrientationTypePortraitPrimary    EmulationScreenOrientationType = "portrait-primary"
	EmulationScreenOrientationTypePortraitSecondary  EmulationScreenOrientationType = "portrait-secondary"
	EmulationScreenOrientationTypeLandscapePrimary   EmulationScreenOrientationType = "landscape-primary"
	EmulationScreenOrientationTypeLandscapeSecondary EmulationScreenOrientationType = "landscape-secondary"
)

// EmulationScreenOrientation is how a screen is built and held.
type EmulationScreenOrientation struct {
	Natural EmulationScreenOrientationNatural `json:"natural"`
	Type    EmulationScreenOrientationType    `json:"type"`
}

// EmulationSetScreenOrientationOverrideParameters are the parameters of
// emulation.setScreenOrientationOverride.
type EmulationSetScreenOrientationOverrideParameters struct {
	ScreenOrientation *EmulationScreenOrientation `json:"screenOrientation"`
	Contexts          []Context                   `json:"contexts,omitzero"`
	UserContexts      []UserContext               `json:"userContexts,omitzero"`
}

// EmulationSetUserAgentOverrideParameters are the parameters of
// emulation.setUserAgentOverride.
type EmulationSetUserAgentOverrideParameters struct {
	UserAgent    *string       `json:"userAgent"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetViewportMetaOverrideParameters are the parameters of
// emulation.setViewportMetaOverride: true, or nil to end it.
type EmulationSetViewportMetaOverrideParameters struct {
	ViewportMeta *bool         `json:"viewportMeta"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetScriptingEnabledParameters are the parameters of
// emulation.setScriptingEnabled: false, or nil to end it.
type EmulationSetScriptingEnabledParameters struct {
	Enabled      *bool         `json:"enabled"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetScrollbarTypeOverrideParameters are the parameters of
// emulation.setScrollbarTypeOverride: classic, overlay, or nil to end it.
type EmulationSetScrollbarTypeOverrideParameters struct {
	ScrollbarType *string       `json:"scrollbarType"`
	Contexts      []Context     `json:"contexts,omitzero"`
	UserContexts  []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetTimezoneOverrideParameters are the parameters of
// emulation.setTimezoneOverride: an IANA name or an offset such as +05:30.
type EmulationSetTimezoneOverrideParameters struct {
	Timezone     *string       `json:"timezone"`
	Contexts     []Context     `json:"contexts,omitzero"`
	UserContexts []UserContext `json:"userContexts,omitzero"`
}

// EmulationSetTouchOverrideParameters are the parameters of
// emulation.setTouchOverride.
type EmulationSetTouchOverrideParameters struct {
	MaxTouchPoints *int          `json:"maxTouchPoints"`
	Contexts       []Context     `json:"contexts,omitzero"`
	UserContexts   []UserContext `json:"userContexts,omitzero"`
}
