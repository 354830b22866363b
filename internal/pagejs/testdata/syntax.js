// Parses each file named as an expression, as a browser parses a function declaration.
const fs = require('fs')
const vm = require('vm')
let bad = 0
for (const path of process.argv.slice(2)) {
  try {
    new vm.Script(`(\n${fs.readFileSync(path, 'utf8')}\n)`, { filename: path })
  } catch (e) {
    console.error(e.stack.split('\n').slice(0, 5).join('\n'))
    bad = 1
  }
}
process.exit(bad)
