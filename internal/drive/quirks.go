package drive

import (
	"net/url"
	"strings"
)

// Quirks are departures from the specification that we work around. Where the
// departure can be shown from outside, quirks_live_test.go fails when the browser
// no longer has it; then the field and its branch go.
type Quirks struct {
	// AuthHangs: a 401 with a challenge leaves navigate unanswered unless an
	// authRequired intercept is held. Firefox 153. Chrome answers with an error,
	// and its driver can wedge around intercepts, so none is held there.
	AuthHangs bool
	// ScriptLostOnNavigation: a pending script call whose document goes away is
	// never answered. Firefox 153.
	ScriptLostOnNavigation bool
	// PopupContextHangs: in a popup with an opener, whatever needs the context's
	// realm (scripts, input, screenshots) is not answered before its next
	// navigation, unless repairPopup has the realm announced again. Chrome 156.
	PopupContextHangs bool
	// WorkerRequestsStray: where requests are held, the driver may look for one of a
	// dedicated worker in the worker, whose page holds it, so that nothing lets it go
	// but the DevTools protocol. Chrome 156.
	WorkerRequestsStray bool
	// NavigationBars: from the beginning of a tab's navigation until it has come or failed,
	// what is to run in the document shown is kept back, by the browser itself, and so is
	// what depends on that. Chrome 156.
	NavigationBars bool
	// WarningsAsErrors: policy and cookie warnings come as script errors without a
	// stack. Firefox 153.
	WarningsAsErrors bool
	// UnloadNeedsInput: a page asks before it is left only after input; the
	// activation that a script call brings does not count. Firefox 153.
	UnloadNeedsInput bool
	// ContentUnsized: network events give 0 as the size of a decoded body. Firefox 153.
	ContentUnsized bool
	// RefusalsUntold: a request that the browser itself refuses, as to a port that is not
	// allowed, has no event; where it is a navigation's, the page shown in its place tells.
	// Firefox 153.
	RefusalsUntold bool
	// EventsTimed: the timestamp of a network event is the event's own, as it is
	// specified, and not the beginning of the request. Firefox 153.
	EventsTimed bool
	// BodiesAsText: getData gives every body as text, so that the bytes of a picture
	// are lost; the DevTools protocol gives them. Chrome 156.
	BodiesAsText bool
	// RedirectsMixed: the answer of a redirect may be told as that of the request it led
	// to, status and headers, with that one's own status text. Chrome 156.
	RedirectsMixed bool
	// StrayContent: a document that is still loading when another navigation begins ends
	// with events under that one's id. Firefox 153.
	StrayContent bool
	// NoMediaFeatures: there is no command for what media queries see; preferences
	// decide at the start. Firefox 153.
	NoMediaFeatures bool
	// NoTouch: there is no command that emulates a touch screen. Firefox 153.
	NoTouch bool
	// NoDownloadCancel: there is no way to end a download that runs; the DevTools
	// protocol has one. Firefox 153.
	NoDownloadCancel bool
	// PrintsBeyondEnd: pages that there are not are printed as an empty one instead
	// of being refused. Firefox 153.
	PrintsBeyondEnd bool
	// PrintsCopiesOfFrames: the copies of frames that a print is made of are announced as
	// tabs, and never end. Firefox 153.
	PrintsCopiesOfFrames bool
	// CookiePartitionsUntold: a cookie does not say which site's pages it is for; that
	// shows by asking for each of them. Firefox 153.
	CookiePartitionsUntold bool
	// CookieAncestorsLost: storage.setCookie makes partitioned cookies for pages
	// without a frame of another site between, and no others. Chrome 156.
	CookieAncestorsLost bool
	// NoDropByInput: input begins a drag of the page's own kind (HTML drag and drop)
	// and never ends one. Firefox 153, without a window.
	NoDropByInput bool
	// DragOutlivesDrop: a drag that input ends in a frame of another process is not over
	// for the document where it began, which takes no press any more. Chrome 156.
	DragOutlivesDrop bool
	// StallsOnText: what a page logs with a lone surrogate in it is lost on the way, and the
	// driver may then read nothing further of what its browser says, answers neither, until
	// a request of the classic protocol makes it. Chrome 156.
	StallsOnText bool
	// MovesHoldUp: while a page changes its address all the time, answers wait behind what
	// the driver has to say of that. Chrome 156.
	MovesHoldUp bool
	// InputInProcess: input that is sent to a document reaches what it shows, but for
	// frames of other processes: those must be sent it themselves. Firefox 153.
	InputInProcess bool
	// CloseLostOnNavigation: a tab that is told to close while its page gives way to
	// another may stay, answered or not. Chrome 156.
	CloseLostOnNavigation bool
	// DownloadsDropped: of the downloads that links begin in one document within a second
	// those after the tenth never happen, and nothing tells of them. Chrome 156.
	DownloadsDropped bool
	// StartInHistory: the empty page that a tab begins with stays in its history. Chrome 156.
	StartInHistory bool
	// ParseErrorsUnplaced: the place of an error of a script that does not parse is one in
	// the browser's own code. Firefox 153.
	ParseErrorsUnplaced bool
	// SessionCopiesOwnOnly: a popup begins with the session storage of its opener's
	// origin alone, not with all of the tab's. Firefox 153.
	SessionCopiesOwnOnly bool
	// ChooserOnce: an input whose file chooser has opened, and was neither chosen in nor
	// closed by a person, opens none again. Firefox 153.
	ChooserOnce bool
}

// quirksOf names what the browser with this capability name needs.
func quirksOf(browserName string) Quirks {
	if strings.Contains(strings.ToLower(browserName), "firefox") {
		return Quirks{
			AuthHangs:              true,
			ScriptLostOnNavigation: true,
			WarningsAsErrors:       true,
			ParseErrorsUnplaced:    true,
			UnloadNeedsInput:       true,
			ContentUnsized:         true,
			EventsTimed:            true,
			RefusalsUntold:         true,
			StrayContent:           true,
			NoMediaFeatures:        true,
			NoTouch:                true,
			NoDownloadCancel:       true,
			PrintsBeyondEnd:        true,
			PrintsCopiesOfFrames:   true,
			CookiePartitionsUntold: true,
			SessionCopiesOwnOnly:   true,
			NoDropByInput:          true,
			InputInProcess:         true,
			ChooserOnce:            true,
		}
	}
	return Quirks{
		PopupContextHangs:     true,
		BodiesAsText:          true,
		CloseLostOnNavigation: true,
		DownloadsDropped:      true,
		StartInHistory:        true,
		WorkerRequestsStray:   true,
		CookieAncestorsLost:   true,
		RedirectsMixed:        true,
		DragOutlivesDrop:      true,
		StallsOnText:          true,
		MovesHoldUp:           true,
		NavigationBars:        true,
	}
}

// failureShown reports whether an address is of a browser's own page about a failure,
// and the reason where the address names it.
func failureShown(address string) (reason string, shows bool) {
	if strings.HasPrefix(address, "chrome-error:") {
		return "", true
	}
	if !strings.HasPrefix(address, "about:neterror") && !strings.HasPrefix(address, "about:certerror") {
		return "", false
	}
	u, err := url.Parse(address)
	if err != nil {
		return "", true
	}
	return u.Query().Get("e"), true
}
