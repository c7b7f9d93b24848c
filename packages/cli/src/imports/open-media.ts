/** Where the data of imported files is: in a folder, or in the first of several places. */
import { E } from '@publishing-service/domain/fp'
import type { OpenMedia } from '@publishing-service/domain/imports'
import { refusal } from '../command-failure.js'
import { mediaInFolder } from './media-folder.js'

export const openFolder = async (folder: string): Promise<OpenMedia> => {
  try {
    return await mediaInFolder(folder)
  } catch {
    throw refusal(`--uploads: there is no folder ${folder}`)
  }
}

/** Opens data in the first place that has it. */
export const openMediaIn =
  (places: readonly OpenMedia[]): OpenMedia =>
  async (upload) => {
    let found: Awaited<ReturnType<OpenMedia>> = E.left(
      `${upload.address} is not at hand: name the folder of uploads with --uploads, or add --fetch`,
    )
    for (const open of places) {
      found = await open(upload)
      if (E.isRight(found)) break
    }
    return found
  }
