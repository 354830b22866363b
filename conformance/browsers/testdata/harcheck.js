// Validates a HAR against har-schema: node harcheck.js NODE_MODULES FILE
const path = require('path')
const modules = process.argv[2]
const Ajv = require(path.join(modules, 'ajv'))
const schemas = require(path.join(modules, 'har-schema'))
const ajv = new Ajv({ allErrors: true, schemaId: 'auto' })
ajv.addMetaSchema(require(path.join(modules, 'ajv', 'lib', 'refs', 'json-schema-draft-06.json')))
for (const name of Object.keys(schemas)) ajv.addSchema(schemas[name])
const har = JSON.parse(require('fs').readFileSync(process.argv[3], 'utf8'))
if (!ajv.validate('har.json', har)) {
  console.log(JSON.stringify(ajv.errors.slice(0, 10), null, 1))
  process.exit(1)
}
console.log(har.log.entries.length + ' entries')
