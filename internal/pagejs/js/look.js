// look(lib, WalkArgs) -> Doc: as walk, after what the action queued (a form's submission) has had its turn; reads.
async (lib, args) => {
  // Where a document may not run scripts no timer ends and no frame comes: it can only be read at once.
  if (lib.window.matchMedia('(scripting: none)').matches) return lib.walk({ ...args, settle: 0 })
  await lib.wait(0)
  lib.fresh()
  return lib.walk(args)
}
