package bidi

// PermissionsSetPermission answers a permission on the user's behalf. It is a
// command of the Permissions specification.
// https://w3c.github.io/permissions/#webdriver-bidi-command-permissions-setPermission
var PermissionsSetPermission = command[PermissionsSetPermissionParameters, EmptyResult]("permissions.setPermission")

// PermissionsPermissionDescriptor names a permission, such as geolocation.
type PermissionsPermissionDescriptor struct {
	Name string `json:"name"`
}

// PermissionsPermissionState is the answer to a permission.
type PermissionsPermissionState string

// The answers.
const (
	PermissionsPermissionStateGranted PermissionsPermissionState = "granted"
	PermissionsPermissionStateDenied  PermissionsPermissionState = "denied"
	PermissionsPermissionStatePrompt  PermissionsPermissionState = "prompt"
)

// PermissionsSetPermissionParameters are the parameters of
// permissions.setPermission.
type PermissionsSetPermissionParameters struct {
	Descriptor     PermissionsPermissionDescriptor `json:"descriptor"`
	State          PermissionsPermissionState      `json:"state"`
	Origin         string                          `json:"origin"`
	EmbeddedOrigin string                          `json:"embeddedOrigin,omitzero"`
	UserContext    UserContext                     `json:"userContext,omitzero"`
}
