/** The data of imported files, from a folder such as `wp-content/uploads`. */
import { createReadStream } from 'node:fs'
import { realpath, stat } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { E } from '@publishing-service/domain/fp'
import type { OpenMedia } from '@publishing-service/domain/imports'
import { percentDecoded } from '@publishing-service/imports'

/** The names in an address or a path; null if it has none of the usual form. */
const namesIn = (address: string): readonly string[] | null => {
  const path = URL.canParse(address) ? new URL(address).pathname : (address.split(/[?#]/, 1)[0] ?? '')
  const names = percentDecoded(path)
    .split('/')
    .filter((name) => name !== '' && name !== '.')
  return names.length === 0 || names.some((name) => name === '..' || /[\0\\]/.test(name)) ? null : names
}

const sizeOf = async (folder: string, path: string): Promise<number | null> => {
  try {
    const real = await realpath(path)
    const found = await stat(real)
    return found.isFile() && real.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`)
      ? found.size
      : null
  } catch {
    return null
  }
}

/**
 * Opens data below a folder: at the whole path of an address, or at an end of it, the longest first. So the folder can be
 * that of the website, or any below it. Links that lead out of the folder are not followed.
 */
export const mediaInFolder = async (folder: string): Promise<OpenMedia> => {
  const root = await realpath(folder)
  return async ({ address, type }) => {
    const names = namesIn(address) ?? []
    for (let first = 0; first < names.length; first += 1) {
      const path = join(root, ...names.slice(first))
      const length = await sizeOf(root, path)
      if (length !== null) return E.right({ body: createReadStream(path), type: type ?? undefined, length })
    }
    return E.left(`${address} is not in the folder of uploads`)
  }
}
