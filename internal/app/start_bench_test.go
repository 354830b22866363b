package app

import (
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"duet/artifacts"
	"duet/internal/drive"
	"duet/internal/env"
	"duet/internal/launch"
)

// BenchmarkFirstPage is the time from nothing to a page: a browser, a connection,
// a navigation. For Firefox, whose profile duet takes from a template, each round
// also starts once from an empty profile, which differs in nothing else. The
// figures are medians in milliseconds, and the ratio of the two.
func BenchmarkFirstPage(b *testing.B) {
	duet := binary(b)
	for _, c := range launch.Detect() {
		ways := []settings{{Browser: c.Browser}}
		if c.Browser == "firefox" {
			ways = []settings{{Browser: c.Browser, Driver: launch.DriverNone}}
			if c.Driver != "" {
				ways = append(ways, settings{Browser: c.Browser, Driver: launch.DriverGeck})
			}
		}
		for _, w := range ways {
			name := c.Browser
			if w.Driver != "" {
				name += "/" + strings.ReplaceAll(w.Driver, "none", "alone")
			}
			b.Run(name, func(b *testing.B) { firstPages(b, w, "http://127.0.0.1:"+demo(b, duet)+"/") })
		}
	}
}

func firstPages(b *testing.B, w settings, url string) {
	b.Setenv(env.ArtifactsDir.Name, b.TempDir())
	templates := b.TempDir()
	start := func(cache string) time.Duration {
		b.Setenv(env.CacheDir.Name, cache)
		begin := time.Now()
		live, err := opener(w, artifacts.New(artifacts.Options{}), io.Discard)(b.Context(), func(string) {})
		if err != nil {
			b.Fatal(err)
		}
		tab, err := live.Browser.Tab(b.Context())
		if err == nil {
			_, err = tab.Navigate(b.Context(), url, drive.NavOptions{})
		}
		took := time.Since(begin)
		if err := live.Close(b.Context()); err != nil {
			b.Error(err)
		}
		if err != nil {
			b.Fatal(err)
		}
		return took
	}
	for range 3 { // makes the template, and warms the machine
		start(templates)
		if made, _ := filepath.Glob(filepath.Join(templates, "firefox-template", "*", "startupCache")); w.Driver == "" || len(made) > 0 {
			break
		}
	}
	var warm, empty []time.Duration
	for range b.N {
		warm = append(warm, start(templates))
		if w.Driver != "" {
			empty = append(empty, start(b.TempDir()))
		}
	}
	ms := func(d []time.Duration) float64 {
		slices.Sort(d)
		return float64(d[len(d)/2].Milliseconds())
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(ms(warm), "first-page-ms")
	if len(empty) > 0 {
		b.ReportMetric(ms(empty), "empty-profile-ms")
		b.ReportMetric(ms(warm)/ms(empty), "ratio")
	}
}
