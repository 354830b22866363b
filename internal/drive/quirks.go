package drive

import "strings"

// Quirks are departures from the specification that we work around. Each has a
// test in conformance/browsers/quirks_test.go that fails when the browser no
// longer needs it; then the field and its branch go.
type Quirks struct {
	// AuthHangs: a 401 with a challenge leaves navigate unanswered unless an
	// authRequired intercept is held. Firefox 153. Chrome answers with an error,
	// and its driver can wedge around intercepts, so none is held there.
	AuthHangs bool
	// ScriptLostOnNavigation: a pending script call whose document goes away is
	// never answered. Firefox 153.
	ScriptLostOnNavigation bool
	// PopupContextHangs: in a popup with an opener, what is addressed to the
	// context is not answered before its next navigation; what is addressed to a
	// realm is. Chrome 156.
	PopupContextHangs bool
	// WarningsAsErrors: policy and cookie warnings come as script errors without a
	// stack. Firefox 153.
	WarningsAsErrors bool
	// WheelRepliesEarly: the reply to a wheel action comes before the scroll.
	// Firefox 153.
	WheelRepliesEarly bool
}

// quirksOf names what the browser with this capability name needs.
func quirksOf(browserName string) Quirks {
	if strings.Contains(strings.ToLower(browserName), "firefox") {
		return Quirks{
			AuthHangs:              true,
			ScriptLostOnNavigation: true,
			WarningsAsErrors:       true,
			WheelRepliesEarly:      true,
		}
	}
	return Quirks{
		PopupContextHangs: true,
	}
}
