// await_change(lib, {doc, since, ms}) -> {doc, ver}: waits in the page until the document is at another version, ms at most; reads.
async (lib, { doc, since, ms }) => {
  // Where a document may not run scripts no frame comes, and nothing changes it.
  const end = lib.window.matchMedia('(scripting: none)').matches ? 0 : lib.now() + ms
  while (doc === lib.doc && lib.version() === since && lib.now() < end) await lib.frame()
  return { doc: lib.doc, ver: lib.version() }
}
