// Takes a login from one browser to another by playwright-core.
// node storagestate.js MODULES CHROMIUM save|load ADDRESS FILE
// save: opens ADDRESS, waits until its page is ready, and writes the storage state.
// load: begins with the storage state and prints what the page of ADDRESS says.
const path = require('node:path')
const [modules, executablePath, action, address, file] = process.argv.slice(2)

const main = async () => {
  const { chromium } = require(path.join(modules, 'playwright-core'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  const context = await browser.newContext(action === 'load' ? { storageState: file } : {})
  const page = await context.newPage()
  await page.goto(address)
  await page.waitForFunction(() => document.querySelector('#out').textContent.startsWith('ready'))
  if (action === 'save') await context.storageState({ path: file, indexedDB: true })
  console.log(await page.textContent('#out'))
  await browser.close()
}

main().catch((e) => {
  console.error(e)
  process.exit(1)
})
