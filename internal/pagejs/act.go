package pagejs

// The library's parts that page functions of selectors and actions share.
var _ = func() bool {
	libParts = append(libParts, "lib_act", "lib_find", "lib_edit")
	return true
}()
