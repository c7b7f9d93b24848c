import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { cacheControl } from '@publishing-service/http-contract'
import { entityTag, varyBy, type ReadyResponse } from './ready-response.js'

/** A file of the documentation or of the dashboard, with its compressed forms. */
export const webFile = (
  type: string,
  body: Buffer,
  { vary = [], isCompressed }: { readonly vary?: readonly string[]; readonly isCompressed: boolean },
): ReadyResponse => ({
  body,
  tag: entityTag(body),
  control: cacheControl.documentation,
  vary: varyBy(vary, isCompressed),
  headers: ['Content-Type', type],
  forms: isCompressed ? new Map() : null,
})

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/** Reads a file of the folder, whose name tells its type. */
export const readWebFile = async (path: string, folder: URL, isCompressed: boolean): Promise<ReadyResponse> =>
  webFile(types[extname(path)] ?? 'application/octet-stream', await readFile(new URL(path, folder)), {
    isCompressed,
  })
