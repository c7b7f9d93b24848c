/** Attachments as files. */
import { importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { fileNameIn } from '../address-parts.js'
import { derivedUuid } from '../derived-uuid.js'
import { plainLine, plainText, shortened } from '../plain-text.js'
import type { Attachment } from './attachments.js'
import { timeOf } from './wxr.js'

const longestName = 255
const longestDescription = 10_000
const longestCredits = 1000

export const fileId = (site: string, { id }: Attachment): string => derivedUuid(site, 'attachment', id)

/**
 * The record of an attachment. The title of a file is the text in place of a picture, so that of the attachment is used only
 * if there is no such text, not in the post either.
 */
export const fileRecord = (site: string, attachment: Attachment, altInPost: string): ImportRecord => {
  const { id, line, address, caption, description, credits } = attachment
  const filename = shortened(fileNameIn(address) || 'file', longestName)
  const title = [attachment.alt, altInPost, attachment.title].map(plainLine).find((each) => each !== '')
  const texts = [...new Set([plainText(caption), plainText(description)])].filter((each) => each !== '')
  const text = shortened(texts.join('\n\n'), longestDescription)
  const created = timeOf(attachment.date, attachment.dateGmt)
  return importRecord({
    origin: { source: id === address ? `file ${address}` : `attachment ${id}`, title: filename, line },
    object: importedObject({
      collection: 'files',
      id: fileId(site, attachment),
      attributes: {
        title: shortened(title ?? filename, longestName),
        filename,
        ...(text === '' ? {} : { description: text }),
        ...(credits === '' ? {} : { credits: shortened(credits, longestCredits) }),
        ...(created === null ? {} : { created }),
      },
      upload: { address, type: null },
    }),
  })
}
