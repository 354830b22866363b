// Counts the o200k tokens of standard input: node count.js NODE_MODULES
const { encode } = require(require('path').join(process.argv[2], 'gpt-tokenizer', 'cjs', 'encoding', 'o200k_base'))
process.stdout.write(String(encode(require('fs').readFileSync(0, 'utf8')).length) + '\n')
