// Reads cases from standard input, one a line: kind, pattern, URL. Writes the verdict
// of the reference for each: playwright-core's own matcher, through page.route in a
// Chromium, and URLPattern of urlpattern-polyfill.
// node verdicts.js MODULES CHROMIUM < cases
const path = require('node:path')
const [modules, executablePath] = process.argv.slice(2)
const load = (name) => require(path.join(modules, name))

// A relative pattern leaves scheme, host and port open, as its parts alone do.
const urlPattern = (pattern, url) => {
  const { URLPattern } = load('urlpattern-polyfill')
  if (!pattern.startsWith('/')) return new URLPattern(pattern).test(url)
  const { pathname, search, hash } = new URLPattern(pattern, 'https://base.test')
  return new URLPattern({ pathname, search, hash: hash === '' ? '*' : hash }).test(url)
}

const main = async () => {
  const cases = require('node:fs').readFileSync(0, 'utf8').trim().split('\n').map((l) => l.split('\t'))
  const browser = await load('playwright-core').chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const page = await browser.newPage()
  await page.route(/^/, (route) => route.fulfill({ body: 'nothing' }))
  const glob = async (pattern, url) => {
    let hit = false
    const handler = (route) => { hit = true; return route.fulfill({ body: 'hit' }) }
    await page.route(pattern, handler)
    await page.goto(url)
    await page.unroute(pattern, handler)
    return hit
  }
  for (const [kind, pattern, url] of cases) {
    try {
      const hit = kind === 'glob' ? await glob(pattern, url) : urlPattern(pattern, url)
      process.stdout.write(hit ? 'yes\n' : 'no\n')
    } catch (e) {
      process.stderr.write(`${pattern}: ${e.message}\n`)
      process.stdout.write('refused\n')
    }
  }
  await browser.close()
}
main()
