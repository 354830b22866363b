// Command duet operates Firefox and Chrome for people, scripts and AI agents.
package main

import (
	"os"

	"duet/internal/app"
)

func main() { os.Exit(app.Main()) }
