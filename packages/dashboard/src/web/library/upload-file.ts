import type { JsonObject } from '@publishing-service/domain/json'
import type { Api } from '../service/api.js'

/** Why a file is not uploaded: it has no data, websites cannot show its format, or its picture cannot be decoded. */
type FileFault = 'empty' | 'heic' | 'broken'

/** A file that is not uploaded, because nobody could see it. */
export class RejectedFile extends Error {
  constructor(readonly fault: FileFault) {
    super(`the file is not uploaded: ${fault}`)
  }
}

/** Formats that the browser decodes if it shows them at all. */
const decoded = /^image\/(?:png|jpeg|gif|webp|bmp|avif)$/

const isDecodable = async (file: File): Promise<boolean> => {
  try {
    ;(await createImageBitmap(file)).close()
    return true
  } catch {
    return false
  }
}

const faultOf = async (file: File): Promise<FileFault | null> => {
  if (file.size === 0) return 'empty'
  if (/^image\/hei[cf]/.test(file.type) || /\.hei[cf]s?$/i.test(file.name)) return 'heic'
  return decoded.test(file.type) && !(await isDecodable(file)) ? 'broken' : null
}

/** Fails for a file that nobody could see after its upload. */
export const checkFile = async (file: File): Promise<void> => {
  const fault = await faultOf(file)
  if (fault !== null) throw new RejectedFile(fault)
}

const titleOf = ({ name }: File): string => name.replace(/\.[^.]+$/, '') || name

/** Creates the metadata of a file. Returns its UUID. */
export const createFile = async (api: Api, file: File): Promise<string> => {
  const metadata: JsonObject = { title: titleOf(file), filename: file.name }
  return String((await api.create('files', metadata)).value['uuid'])
}
