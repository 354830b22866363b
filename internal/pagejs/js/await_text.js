// await_text(lib, {text, gone, ms}) -> {ok, text}: waits in the page until its rendered text holds text (gone: holds it no more), ms at most; reads.
async (lib, { text, gone, ms }) => {
  const wanted = lib.plain(text)
  const end = lib.now() + ms
  let version = -1
  let looked = 0
  for (;;) {
    const now = lib.version()
    // A style or an animation can show text without a mutation: so look again at times.
    if (now !== version || lib.now() - looked > 200) {
      version = now
      looked = lib.now()
      lib.fresh()
      const root = lib.prop(lib.document, 'documentElement')
      const has = root !== null && root !== undefined && lib.plain(lib.text(root)).includes(wanted)
      if (has !== Boolean(gone)) return { ok: true }
    }
    // Where a document may not run scripts no frame comes.
    if (lib.now() >= end || lib.window.matchMedia('(scripting: none)').matches) return { ok: false }
    await lib.frame()
  }
}
