// stored(lib, {session, databases, most}) -> [info, {secret}, …]: reads what the origin of this document keeps.
//
// info is JSON: {origin, ours, denied, local, session, databases, dumped, left}. Behind it stand the names and values of
// the local storage, then those of the session storage, then the databases, each a text by the name of secret, which
// protocol logs mask. databases says whether the databases are dumped or only counted: they can be read in a realm
// without wrappers alone, so in an empty page of ours. most is the length up to which one is taken. What text cannot
// carry (lone surrogates, blobs, keys) is left out and counted.
async (lib, { session, databases, most }) => {
  const out = []
  const info = {
    origin: globalThis.origin,
    ours: document.documentElement !== null && document.documentElement.id === 'duet-empty-page',
    denied: false,
    local: 0,
    session: 0,
    databases: 0,
    dumped: 0,
    left: 0,
  }
  const whole = (s) => {
    try {
      encodeURIComponent(s)
      return true
    } catch {
      return false
    }
  }
  const entries = (name) => {
    let n = 0
    try {
      const kept = globalThis[name]
      for (let i = 0; i < kept.length; i++) {
        const key = kept.key(i)
        const value = kept.getItem(key)
        if (!whole(key) || !whole(value)) {
          info.left++
          continue
        }
        out.push({ secret: key }, { secret: value })
        n++
      }
    } catch {
      info.denied = true
    }
    return n
  }

  const LEFT = new Error('left out')
  const base64 = (bytes) => {
    let s = ''
    for (let i = 0; i < bytes.length; i += 8192) s += String.fromCharCode(...bytes.subarray(i, i + 8192))
    return btoa(s)
  }
  const kind = (v) => Object.prototype.toString.call(v).slice(8, -1)
  const ARRAYS = {
    Int8Array: 'i8', Uint8Array: 'ui8', Uint8ClampedArray: 'ui8c', Int16Array: 'i16', Uint16Array: 'ui16', Int32Array: 'i32',
    Uint32Array: 'ui32', Float32Array: 'f32', Float64Array: 'f64', BigInt64Array: 'bi64', BigUint64Array: 'bui64',
  }
  const DEEPEST = 40
  // plain reports whether JSON carries v as it is.
  const plain = (v, above) => {
    if (v === null || typeof v === 'boolean') return true
    if (typeof v === 'string') return whole(v)
    if (typeof v === 'number') return Number.isFinite(v) && !Object.is(v, -0)
    if (typeof v !== 'object' || above.includes(v) || above.length > DEEPEST) return false
    const inner = [...above, v]
    if (Array.isArray(v)) return v.every((item) => plain(item, inner)) && Object.keys(v).length === v.length
    if (kind(v) !== 'Object') return false
    return Object.keys(v).every((k) => whole(k) && k !== '__proto__' && plain(v[k], inner))
  }
  // encode writes v as other tools' storage states do, throwing LEFT where that has no words for it.
  const encode = (v, seen, depth) => {
    if (depth > DEEPEST) throw LEFT
    const next = (item) => encode(item, seen, depth + 1)
    if (v === undefined) return { v: 'undefined' }
    if (v === null) return { v: 'null' }
    if (typeof v === 'boolean') return v
    if (typeof v === 'string') {
      if (!whole(v)) throw LEFT
      return v
    }
    if (typeof v === 'number') {
      if (Object.is(v, -0)) return { v: '-0' }
      return Number.isFinite(v) ? v : { v: String(v) }
    }
    if (typeof v === 'bigint') return { bi: String(v) }
    const what = kind(v)
    if (what === 'Date' && !Number.isNaN(v.getTime())) return { d: v.toJSON() }
    if (what === 'RegExp') return { r: { p: v.source, f: v.flags } }
    if (what === 'Error') return { e: { n: String(v.name), m: String(v.message), s: String(v.stack) } }
    if (ARRAYS[what]) return { ta: { b: base64(new Uint8Array(v.buffer, v.byteOffset, v.byteLength)), k: ARRAYS[what] } }
    if (what === 'ArrayBuffer') return { ab: { b: base64(new Uint8Array(v)) } }
    if (seen.has(v)) return { ref: seen.get(v) }
    const id = seen.size + 1
    if (['Array', 'Object', 'Map', 'Set'].includes(what)) seen.set(v, id)
    if (what === 'Array') return { a: Array.from(v, next), id }
    if (what === 'Map') return { m: Array.from(v, ([k, item]) => ({ k: next(k), v: next(item) })), id }
    if (what === 'Set') return { s: Array.from(v, next), id }
    if (what !== 'Object') throw LEFT
    const o = []
    for (const k of Object.keys(v)) {
      if (!whole(k) || k === '__proto__') throw LEFT
      o.push({ k, v: next(v[k]) })
    }
    return { o, id }
  }
  const named = (record, name, v) => {
    if (plain(v, [])) record[name] = v
    else record[name + 'Encoded'] = encode(v, new Map(), 0)
  }

  const done = (request) =>
    new Promise((resolve, reject) => {
      request.onsuccess = () => resolve(request.result)
      request.onerror = () => reject(request.error)
    })
  const path = (into, keyPath) => {
    if (typeof keyPath === 'string') into.keyPath = keyPath
    else if (keyPath !== null) into.keyPathArray = Array.from(keyPath)
    return into
  }
  const dump = async ({ name, version }) => {
    const db = await done(indexedDB.open(name))
    try {
      const d = { name, version: version || db.version, stores: [] }
      if (db.objectStoreNames.length === 0) return d
      const tx = db.transaction(db.objectStoreNames, 'readonly')
      const stores = Array.from(db.objectStoreNames, (n) => tx.objectStore(n))
      const all = await Promise.all(stores.map((s) => Promise.all([done(s.getAllKeys()), done(s.getAll())])))
      stores.forEach((s, at) => {
        const records = []
        all[at][0].forEach((key, i) => {
          const record = {}
          try {
            if (s.keyPath === null) named(record, 'key', key)
            named(record, 'value', all[at][1][i])
            records.push(record)
          } catch (e) {
            if (e !== LEFT) throw e
            info.left++
          }
        })
        const indexes = Array.from(s.indexNames, (n) => s.index(n)).map((i) => path({ name: i.name, multiEntry: i.multiEntry, unique: i.unique }, i.keyPath))
        d.stores.push(path({ name: s.name, autoIncrement: s.autoIncrement, records, indexes }, s.keyPath))
      })
      return d
    } finally {
      db.close()
    }
  }

  if (info.origin !== 'null') {
    info.local = entries('localStorage')
    if (session) info.session = entries('sessionStorage')
    let found = []
    try {
      found = await indexedDB.databases()
    } catch {
      // a document that may not keep any has none
    }
    info.databases = found.length
    if (databases && info.ours) {
      for (const one of found) {
        const text = JSON.stringify(await dump(one))
        if (text.length > most || !whole(one.name)) info.left++
        else {
          out.push({ secret: text })
          info.dumped++
        }
      }
    }
  }
  return [JSON.stringify(info), ...out]
}
