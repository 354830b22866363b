// look(lib, WalkArgs) -> Doc: as walk, after what the action queued (a form's submission) has had its turn; reads.
async (lib, args) => {
  await lib.wait(0)
  lib.fresh()
  return lib.walk(args)
}
