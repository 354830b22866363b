package drive

import (
	"context"
	"net/url"
	"strings"
	"time"

	"duet/bidi"
	"duet/internal/fault"
)

// cookies returns every cookie of the browser. sites are the origins of the pages
// that partitioned ones may be for.
func (b *Browser) cookies(ctx context.Context, sites []string) ([]savedCookie, error) {
	all := bidi.StorageGetCookies.Send(b.conn, bidi.StorageGetCookiesParameters{})
	var parts []*bidi.Pending[bidi.StorageGetCookiesResult]
	if b.quirks.CookiePartitionsUntold {
		for _, s := range sites {
			parts = append(parts, bidi.StorageGetCookies.Send(b.conn, bidi.StorageGetCookiesParameters{
				Partition: bidi.StorageStorageKeyPartitionDescriptor{SourceOrigin: s},
			}))
		}
	}
	out, err := all.Wait(ctx)
	if err != nil {
		return nil, b.cookieFault(ctx, "read the cookies", err).At(fault.BeforeEffect, fault.None)
	}
	var found []savedCookie
	for _, c := range out.Cookies {
		found = append(found, cookieOf(c))
	}
	for i, p := range parts {
		part, err := p.Wait(ctx)
		if err != nil {
			return nil, b.cookieFault(ctx, "read the cookies", err).At(fault.BeforeEffect, fault.None)
		}
		found = partitioned(found, part.Cookies, siteOf(sites[i]))
	}
	return found, nil
}

func (b *Browser) cookieFault(ctx context.Context, doing string, err error) *fault.Fault {
	if ctx.Err() != nil {
		return b.unanswered(ctx, doing, err)
	}
	return wireFault(doing, err)
}

// siteOf is an origin without its port, which is no part of a site.
func siteOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return origin
	}
	u.Host = strings.TrimSuffix(u.Host, ":"+u.Port())
	return u.String()
}

func hostOf(origin string) string {
	u, err := url.Parse(origin)
	if err != nil {
		return ""
	}
	return u.Hostname()
}

// partitioned marks the cookies that a site's pages alone have. What the browser
// gives for a site holds also those that its own host has anywhere.
func partitioned(found []savedCookie, part []bidi.NetworkCookie, site string) []savedCookie {
	host := hostOf(site)
	for _, c := range part {
		if concerns(c.Domain, host) {
			continue
		}
		for i := range found {
			f := &found[i]
			if f.top == "" && f.cookie.Name == c.Name && f.cookie.Domain == c.Domain && f.cookie.Path == c.Path && f.cookie.Value == c.Value {
				f.top = site
				break
			}
		}
	}
	return found
}

// concerns reports whether a cookie's domain and a host have to do with each other:
// one is the other, or part of it.
func concerns(domain, host string) bool {
	domain = strings.TrimPrefix(strings.ToLower(domain), ".")
	return domain == host || strings.HasSuffix(host, "."+domain) || strings.HasSuffix(domain, "."+host)
}

// setCookies sets cookies and returns how many were set, those that were over, and
// for each that the browser does not take its place and why. A fault ends it: the
// deadline, or the loss of the browser.
func (b *Browser) setCookies(ctx context.Context, cookies []savedCookie) (set, over int, refused []string, err error) {
	type sent struct {
		at   string
		wait func() error
	}
	var all []sent
	now := bidi.Int(time.Now().Unix())
	for _, c := range cookies {
		if c.cookie.Expiry != nil && *c.cookie.Expiry <= now {
			over++
			continue
		}
		wait, err := b.setCookie(ctx, c)
		if err != nil {
			refused = append(refused, c.at+": "+err.Error())
			continue
		}
		all = append(all, sent{c.at, wait})
	}
	for _, s := range all {
		err := s.wait()
		if err == nil {
			set++
			continue
		}
		f := b.cookieFault(ctx, "set the cookies", err)
		if bidi.CodeOf(err) == "" {
			return set, over, refused, f
		}
		refused = append(refused, s.at+": the browser does not take it")
	}
	return set, over, refused, nil
}

func (b *Browser) setCookie(ctx context.Context, c savedCookie) (func() error, error) {
	if c.top != "" && b.quirks.CookieAncestorsLost {
		ancestor := !concerns(c.cookie.Domain, hostOf(c.top))
		if c.ancestor != nil {
			ancestor = *c.ancestor
		}
		params, err := bidi.GoogSetPartitioned(c.cookie, siteOf(c.top), ancestor)
		if err != nil {
			return nil, err
		}
		p := bidi.GoogCdpSendCommand.Send(b.conn, params)
		return func() error { _, err := p.Wait(ctx); return err }, nil
	}
	params := bidi.StorageSetCookieParameters{Cookie: c.cookie}
	if c.top != "" {
		params.Partition = bidi.StorageStorageKeyPartitionDescriptor{SourceOrigin: c.top}
	}
	p := bidi.StorageSetCookie.Send(b.conn, params)
	return func() error { _, err := p.Wait(ctx); return err }, nil
}

// dropCookies deletes those of the browser's cookies that have to do with one of
// the hosts and are not among the kept.
func (b *Browser) dropCookies(ctx context.Context, there, kept []savedCookie, hosts []string) error {
	type id struct{ name, domain, path, top string }
	of := func(c savedCookie) id {
		path := c.cookie.Path
		if path == "" {
			path = "/"
		}
		return id{c.cookie.Name, strings.TrimPrefix(c.cookie.Domain, "."), path, siteOf(c.top)}
	}
	keep := map[id]bool{}
	for _, c := range kept {
		keep[of(c)] = true
	}
	var sent []*bidi.Pending[bidi.StorageDeleteCookiesResult]
	for _, c := range there {
		if keep[of(c)] || !anyConcerns(c.cookie.Domain, hosts) {
			continue
		}
		p := bidi.StorageDeleteCookiesParameters{Filter: &bidi.StorageCookieFilter{Name: c.cookie.Name, Domain: c.cookie.Domain, Path: c.cookie.Path}}
		if c.top != "" {
			p.Partition = bidi.StorageStorageKeyPartitionDescriptor{SourceOrigin: c.top}
		}
		sent = append(sent, bidi.StorageDeleteCookies.Send(b.conn, p))
	}
	for i, p := range sent {
		if _, err := p.Wait(ctx); err != nil {
			f := b.cookieFault(ctx, "delete the cookies before", err)
			if i > 0 {
				f = f.After()
			}
			return f
		}
	}
	return nil
}

func anyConcerns(domain string, hosts []string) bool {
	for _, h := range hosts {
		if concerns(domain, h) {
			return true
		}
	}
	return false
}
