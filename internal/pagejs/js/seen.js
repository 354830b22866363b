// seen(lib, {permissions}) -> Seen: what a page is told of its device, its place and its user; reads.
async (lib, { permissions }) => {
  const w = lib.window
  const states = {}
  for (const name of permissions) {
    try {
      states[name] = (await w.navigator.permissions.query({ name })).state
    } catch {
      states[name] = '' // no page can ask
    }
  }
  const matches = (query) => w.matchMedia(query).matches
  return {
    width: w.innerWidth,
    height: w.innerHeight,
    ratio: w.devicePixelRatio,
    locale: w.navigator.language,
    timezone: new Intl.DateTimeFormat().resolvedOptions().timeZone,
    userAgent: w.navigator.userAgent,
    dark: matches('(prefers-color-scheme: dark)'),
    still: matches('(prefers-reduced-motion: reduce)'),
    online: w.navigator.onLine,
    touch: w.navigator.maxTouchPoints,
    permissions: states,
  }
}
