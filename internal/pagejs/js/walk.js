// walk(lib, WalkArgs) -> Doc: reads the document as a tree, after settling where asked, and what became of what was put in; reads.
async (lib, args) => {
  const doc = await lib.walk(args)
  for (const later of Object.values(lib.later ?? {})) Object.assign(doc, later())
  return doc
}
