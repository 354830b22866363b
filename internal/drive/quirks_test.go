package drive

import (
	"os"
	"reflect"
	"strings"
	"testing"
)

// What is worked around is told: each departure has a row in the table of what each
// browser can, which names the browser that has it, and no row is of none.
func TestEveryQuirkIsTold(t *testing.T) {
	text, err := os.ReadFile("../docs/capabilities.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]string{}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(line, " | ")
		if len(cells) == 4 && strings.HasPrefix(cells[3], "`") {
			rows[strings.Trim(cells[3], "`| \n")] = cells[1]
		}
	}
	for browser, has := range map[string]Quirks{"Chrome": quirksOf("chrome"), "Firefox": quirksOf("firefox")} {
		v := reflect.ValueOf(has)
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if row, told := rows[name]; !told {
				t.Errorf("%s has no row in internal/docs/capabilities.md", name)
			} else if v.Field(i).Bool() != strings.Contains(row, browser) {
				t.Errorf("the row of %s says %s; of %s it is %t", name, row, browser, v.Field(i).Bool())
			}
		}
	}
	for name := range rows {
		if _, ok := reflect.TypeFor[Quirks]().FieldByName(name); !ok && !strings.Contains(name, " ") {
			t.Errorf("a row is of %s, which there is not", name)
		}
	}
}
