//go:build linux

package browsers

import (
	"fmt"
	"strings"
)

var privacyCases = []pageCase{
	{name: "78-secret-values", run: secretValues, alone: true},
}

func secretValues(k *kase) {
	k.open("/")
	var told strings.Builder
	look := k.snap()
	told.WriteString(look)
	fields := []string{"#pw", "label=Card", "label=Key", "label=Code", "x-pw >> input", "iframe >> input"}
	for i, selector := range fields {
		told.WriteString(k.call("browser_fill", "selector", selector, "value", fmt.Sprintf("S3cr3t-%d", i+1)).Text)
	}
	toggled := k.click("role=button[name=Show password]")
	told.WriteString(toggled)
	again := k.snap()
	told.WriteString(again)
	k.line(again, `textbox "Nickname"`, `value="plain"`)
	k.line(again, `"Password"`, "filled")
	read := k.call("browser_read", "selector", "#pw", "field", "value")
	told.WriteString(read.Text)
	told.Write(read.Structured)
	for i := range fields {
		failed := k.call("browser_fill", "selector", "#nothing-here", "value", fmt.Sprintf("S3cr3t-%d", i+1))
		told.WriteString(failed.Text)
		told.Write(failed.Structured)
	}
	k.silent("what was told", told.String(), "S3cr3t")
}
