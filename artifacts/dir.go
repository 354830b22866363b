package artifacts

// Dir is the artifact directory of one session.
type Dir struct{}
