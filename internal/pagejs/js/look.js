// look(lib, WalkArgs) -> Doc: as walk, after what the action queued (a form's submission) has had its turn; reads.
async (lib, args) => {
  await lib.wait(0)
  lib.fresh()
  const doc = await lib.walk(args)
  for (const later of Object.values(lib.later ?? {})) Object.assign(doc, later())
  return doc
}
