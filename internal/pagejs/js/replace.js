// replace(lib, {url}) -> nothing: goes to another page without an entry in the tab's history.
(lib, { url }) => {
  globalThis.location.replace(url)
  return ''
}
