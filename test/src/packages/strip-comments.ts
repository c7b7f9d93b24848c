import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseSync } from 'rolldown/utils'

/** The code with only the line breaks of its comments, so that line numbers stay right. */
const withoutComments = (path: string, code: string): string => {
  let stripped = ''
  let end = 0
  for (const comment of parseSync(path, code).comments) {
    stripped += code.slice(end, comment.start) + comment.value.replaceAll(/[^\n]/g, '')
    end = comment.end
  }
  return stripped + code.slice(end)
}

/**
 * Removes the comments of the compiled modules in a folder, which are a sixth of a package. Their declarations have the comments
 * of what is exported. Bundles have none, and remain as they are, with the licences in them.
 */
export const stripComments = async (directory: string): Promise<void> => {
  const names = await readdir(directory, { recursive: true })
  const present = new Set(names)
  await Promise.all(
    names
      .filter((name) => name.endsWith('.js') && present.has(name.replace(/js$/, 'd.ts')))
      .map(async (name) => {
        const path = join(directory, name)
        await writeFile(path, withoutComments(path, await readFile(path, 'utf8')))
      }),
  )
}
