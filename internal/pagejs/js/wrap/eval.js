// eval -> text, bounded: an expression that runs CODE of the caller in the page's own realm. The text is "value" or
// "threw", "whole" or "cut", the type, and JSON; a list would be read through the page's own iterator. These lines are
// left out, and CODE begins on the first: lines are counted as the caller wrote them.
//
// The realm is the page's: what it replaced (toJSON, Object.keys, String.prototype) must not make the answer unbounded
// or break it, so the text is built by operators alone. CODE that does not parse is an exception of the protocol, and
// then nothing of it ran.
((run = async () => BEGIN CODE
END) =>
  (async (answer) => {
    try {
      let v = await run()
      if (typeof v === 'function') v = await v()
      return answer('value', v)
    } catch (e) {
      return answer('threw', e)
    }
  })(
    (name, value) => {
      const limit = LIMIT
      let out = ''
      let cut = false
      const text = (s) => {
        out += '"'
        for (let i = 0; i < s.length; i++) {
          const c = s[i]
          const next = s[i + 1]
          if (out.length >= limit) {
            cut = true
            break
          }
          if (c >= '\ud800' && c <= '\udbff' && next >= '\udc00' && next <= '\udfff') {
            out += c + next
            i++
          } else if (c >= '\ud800' && c <= '\udfff') out += '\ufffd'
          else if (c === '"' || c === '\\') out += '\\' + c
          else if (c === '\n') out += '\\n'
          else if (c === '\r') out += '\\r'
          else if (c === '\t') out += '\\t'
          else out += c < ' ' ? '\ufffd' : c
        }
        out += '"'
      }
      const read = (f) => {
        try {
          return f()
        } catch {
          return undefined
        }
      }
      const string = (f, otherwise) => {
        const s = read(f)
        return typeof s === 'string' ? s : otherwise
      }
      const above = []
      const full = (n) => {
        if (out.length < limit && n < 1000) return false
        cut = true
        return true
      }
      const list = (values, depth) => {
        out += '['
        let n = 0
        for (const v of values) {
          if (full(n)) break
          if (n++ > 0) out += ','
          put(v, depth + 1)
        }
        out += ']'
      }
      const members = (v, depth) => {
        out += '{'
        let n = 0
        for (const k of Object.keys(v)) {
          if (full(n)) break
          if (n++ > 0) out += ','
          text('' + k)
          out += ':'
          const one = []
          try {
            one[0] = v[k]
          } catch {
            one[0] = '[threw]'
          }
          put(one[0], depth + 1)
        }
        out += '}'
      }
      const LISTS = ['[object Array]', '[object Map]', '[object Set]', '[object NodeList]', '[object HTMLCollection]', '[object DOMTokenList]', '[object Arguments]']
      const listed = (kind, v) => {
        for (let i = 0; i < 7; i++) if (LISTS[i] === kind) return true
        return read(() => ArrayBuffer.isView(v) && v.length >= 0) === true
      }
      const structure = (v, depth) => {
        const kind = string(() => Object.prototype.toString.call(v), '')
        if (read(() => v instanceof Node && v.nodeType === 3)) text('#text ' + string(() => v.data, ''))
        else if (read(() => v instanceof Node)) {
          const id = string(() => v.getAttribute('id'), '')
          text('<' + (string(() => v.localName, '') || string(() => v.nodeName, 'node')) + (id === '' ? '' : '#' + id) + '>')
        } else if (read(() => v.window === v)) text('[window]')
        else if (kind === '[object Error]' || kind === '[object DOMException]') text(string(() => v.name, 'Error') + ': ' + string(() => v.message, ''))
        else if (kind === '[object Date]') text(string(() => v.toISOString(), 'Invalid Date'))
        else if (kind === '[object RegExp]') text(string(() => '/' + v.source + '/' + v.flags, '[regexp]'))
        else if (depth > 8) {
          cut = true
          text('[…]')
        } else if (listed(kind, v)) list(v, depth)
        else members(v, depth)
      }
      const put = (v, depth) => {
        const type = typeof v
        if (v === null || type === 'undefined') out += 'null'
        else if (type === 'string') text(v)
        else if (type === 'boolean') out += v ? 'true' : 'false'
        else if (type === 'number' && v - v === 0) out += v
        else if (type === 'number') text('' + v)
        else if (type === 'bigint') text(v + 'n')
        else if (type === 'symbol') text('[symbol]')
        else if (type === 'function') text('[function ' + string(() => v.name, '') + ']')
        else {
          for (let i = 0; i < depth; i++) if (above[i] === v) return text('[circular]')
          above[depth] = v
          const before = out
          try {
            structure(v, depth)
          } catch {
            out = before
            text('[unreadable]')
          }
          above[depth] = undefined
        }
      }
      put(value, 0)
      return name + (cut ? ' cut ' : ' whole ') + typeof value + ' ' + out
    },
  ))()
