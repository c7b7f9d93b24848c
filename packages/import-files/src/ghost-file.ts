/** The export of Ghost: a JSON, or a zip with a JSON and the data of files. */
import { open, readFile, stat } from 'node:fs/promises'
import { E } from '@publishing-service/domain/fp'
import type { OpenMedia } from '@publishing-service/domain/imports'
import { ghostEntryNames, isGhostExportEntry, UnreadableSource } from '@publishing-service/imports'
import { UnreadableZip, ZipReader } from '@publishing-service/zip-files'
import { parse as parseYaml } from 'yaml'
import { jsonOf, requireLength } from './source-text.js'

export type GhostFile = {
  /** The parsed export. */
  readonly value: unknown
  /** The parsed redirects; null if there are none. */
  readonly redirects: unknown
  /** Null if the file has no data of files. */
  readonly media: OpenMedia | null
  readonly close: () => Promise<void>
}

/** The first four bytes of a zip, as a number. */
const zipSignature = 0x04034b50

/** The value of a file of redirects, which is JSON or YAML by its name. Throws an UnreadableSource. */
const redirectsOf = (name: string, text: string): unknown => {
  if (!/\.ya?ml$/i.test(name)) return jsonOf(text)
  try {
    return parseYaml(text, { maxAliasCount: 0 })
  } catch (error) {
    throw new UnreadableSource(
      `${name} is no YAML: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

/** The data of files in a zip, also if a folder is around all of them. */
const mediaIn = (zip: ZipReader): OpenMedia => {
  const entries = new Map(
    zip.names.flatMap((name) => [
      [name.slice(name.indexOf('/') + 1), name],
      [name, name],
    ]),
  )
  return async ({ address, type }) => {
    const [found] = ghostEntryNames(address).flatMap((name) => entries.get(name) ?? [])
    if (found === undefined) return E.left(`${address} is not in the zip`)
    return E.right({
      body: await zip.read(found),
      type: type ?? undefined,
      length: zip.sizeOf(found) ?? undefined,
    })
  }
}

const readEntry = (zip: ZipReader, name: string): Promise<string> => {
  requireLength(zip.sizeOf(name) ?? 0)
  return zip.text(name)
}

const openZip = async (file: string): Promise<ZipReader> => {
  try {
    return await ZipReader.open(file)
  } catch (error) {
    throw error instanceof UnreadableZip
      ? new UnreadableSource(`it is no zip that can be read: ${error.message}`)
      : error
  }
}

const readZip = async (file: string): Promise<GhostFile> => {
  const zip = await openZip(file)
  try {
    const exported = zip.names.find(isGhostExportEntry)
    if (exported === undefined) throw new UnreadableSource('the zip has no export of Ghost, a JSON in data')
    const redirects = zip.names.find((name) => /(?:^|\/)redirects\.(?:json|ya?ml)$/i.test(name))
    return {
      value: jsonOf(await readEntry(zip, exported)),
      redirects: redirects === undefined ? null : redirectsOf(redirects, await readEntry(zip, redirects)),
      media: mediaIn(zip),
      close: async () => zip.close(),
    }
  } catch (error) {
    zip.close()
    throw error
  }
}

const isZip = async (file: string): Promise<boolean> => {
  if (/\.zip$/i.test(file)) return true
  const handle = await open(file)
  try {
    const { buffer: first, bytesRead } = await handle.read(Buffer.alloc(4), 0, 4, 0)
    return bytesRead === 4 && first.readUInt32LE(0) === zipSignature
  } finally {
    await handle.close()
  }
}

const readJson = async (file: string): Promise<GhostFile> => {
  requireLength((await stat(file)).size)
  return {
    value: jsonOf(await readFile(file, 'utf8')),
    redirects: null,
    media: null,
    close: async () => undefined,
  }
}

/** Reads an export. `redirects` is the path of a file of redirects; null for none, or that in the zip. Throws an UnreadableSource. */
export const readGhostFile = async (file: string, redirects: string | null): Promise<GhostFile> => {
  const read = (await isZip(file)) ? await readZip(file) : await readJson(file)
  if (redirects === null) return read
  try {
    return { ...read, redirects: redirectsOf(redirects, await readFile(redirects, 'utf8')) }
  } catch (error) {
    await read.close()
    throw error
  }
}
