// Copies what browsers load of Swagger UI, with its licences, from the package that development installs into dist: a
// production installation carries these files alone. A copy that is as new as the package is left as it is.
import { copyFileSync, existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const target = fileURLToPath(new URL('../dist/renderer', import.meta.url))
const files = [
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'LICENSE',
  'NOTICE',
]

const source = () => {
  try {
    return dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')))
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return null
    throw error
  }
}

const isSame = (from, to) => existsSync(to) && statSync(from).size === statSync(to).size

/** Puts the files into place. Throws where they are neither installed nor in place already. */
export const placeRenderer = () => {
  const folder = source()
  if (folder === null) {
    if (files.every((name) => existsSync(join(target, name)))) return
    throw new Error('The renderer of the reference page isn’t installed: run `npm ci` first.')
  }
  mkdirSync(target, { recursive: true })
  for (const name of files)
    if (!isSame(join(folder, name), join(target, name))) copyFileSync(join(folder, name), join(target, name))
}
