package bidi

// The commands of the module webExtension.
var (
	// WebExtensionInstall installs an extension.
	// https://w3c.github.io/webdriver-bidi/#command-webExtension-install
	WebExtensionInstall = command[WebExtensionInstallParameters, WebExtensionInstallResult]("webExtension.install")

	// WebExtensionUninstall removes an extension.
	// https://w3c.github.io/webdriver-bidi/#command-webExtension-uninstall
	WebExtensionUninstall = command[WebExtensionUninstallParameters, EmptyResult]("webExtension.uninstall")
)

// WebExtensionInstallParameters are the parameters of webExtension.install.
type WebExtensionInstallParameters struct {
	ExtensionData WebExtensionExtensionData `json:"extensionData"`
}

// WebExtensionExtensionData is where an extension comes from:
// WebExtensionExtensionPath, WebExtensionExtensionArchivePath or
// WebExtensionExtensionBase64Encoded.
type WebExtensionExtensionData interface{ extensionData() }

// WebExtensionExtensionPath is a directory.
type WebExtensionExtensionPath struct {
	Type isPath `json:"type"`
	Path string `json:"path"`
}

// WebExtensionExtensionArchivePath is an archive.
type WebExtensionExtensionArchivePath struct {
	Type isArchivePath `json:"type"`
	Path string        `json:"path"`
}

// WebExtensionExtensionBase64Encoded is the bytes of an archive.
type WebExtensionExtensionBase64Encoded struct {
	Type  isBase64 `json:"type"`
	Value []byte   `json:"value"` // base64 on the wire
}

func (WebExtensionExtensionPath) extensionData()          {}
func (WebExtensionExtensionArchivePath) extensionData()   {}
func (WebExtensionExtensionBase64Encoded) extensionData() {}

// WebExtensionInstallResult is the result of webExtension.install.
type WebExtensionInstallResult struct {
	Extension Extension `json:"extension"`
}

// WebExtensionUninstallParameters are the parameters of webExtension.uninstall.
type WebExtensionUninstallParameters struct {
	Extension Extension `json:"extension"`
}
