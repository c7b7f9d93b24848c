// Before `npm pack`: removes the comments of the compiled JavaScript, which are a sixth of the package. The declarations
// have those of what is exported. Lines stay where they are, so source maps and stack traces of the workspace stay right.
import { readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'

const directory = fileURLToPath(new URL('../dist', import.meta.url))

/** The code with only the line breaks of its comments. The last one names the source map. */
const withoutComments = (path, code) => {
  let stripped = ''
  let end = 0
  for (const comment of parseSync(path, code).comments) {
    if (comment.value.startsWith('# sourceMappingURL=')) continue
    stripped += code.slice(end, comment.start) + comment.value.replaceAll(/[^\n]/g, '')
    end = comment.end
  }
  return stripped + code.slice(end)
}

for (const name of readdirSync(directory, { recursive: true })) {
  if (!name.endsWith('.js') || name.endsWith('.test.js')) continue
  const path = join(directory, name)
  const code = readFileSync(path, 'utf8')
  const stripped = withoutComments(path, code)
  if (stripped === code) continue
  // Replaced at once: other processes may read it.
  writeFileSync(`${path}.new`, stripped)
  renameSync(`${path}.new`, path)
}
