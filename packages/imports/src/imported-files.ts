/** Files of an import, by their former addresses. */
import { importedObject, importRecord, type ImportRecord } from '@publishing-service/domain/imports'
import { withoutDirections } from '@publishing-service/domain/declare'
import type { Medium } from '@publishing-service/foreign-markup'
import { fileNameIn } from './address-parts.js'
import type { MediumFile } from './body-of.js'
import { derivedUuid } from './derived-uuid.js'
import { shortened } from './plain-text.js'

/** What is said about a file where it is used. */
type Said = { readonly title: string; readonly description: string }

const nothingSaid: Said = { title: '', description: '' }

const line = (text: string): string => text.replaceAll(/[\p{Cc}\s]+/gu, ' ').trim()

type FilesOfSite = {
  readonly site: string
  /** Whether a picture or a sound of a body becomes a file of the import. */
  readonly isTaken: (address: string) => boolean
  /** The address of the original of a file. */
  readonly originalOf: (address: string) => string
}

export class ImportedFiles {
  readonly #options: FilesOfSite
  /** By address, in the order of their first use. */
  readonly #said = new Map<string, Said>()
  readonly #recorded = new Set<string>()
  #used = new Set<string>()

  constructor(options: FilesOfSite) {
    this.#options = options
  }

  /** The UUID of the file at an address, which becomes one of the import. What is said first about a file counts. */
  use(address: string, { title, description }: Said = nothingSaid): string {
    const original = this.#options.originalOf(address)
    const known = this.#said.get(original) ?? nothingSaid
    this.#said.set(original, {
      title: known.title || line(title),
      description: known.description || description.trim(),
    })
    this.#used.add(original)
    return derivedUuid(this.#options.site, 'file', original)
  }

  /** The file of a medium in a body; null if it is not taken, or no slot can have it. */
  readonly fileOf = ({ kind, address, alt }: Medium): MediumFile | null => {
    if ((kind !== 'picture' && kind !== 'audio') || !this.#options.isTaken(address)) return null
    return {
      id: this.use(address, { title: alt, description: '' }),
      kind: kind === 'audio' ? 'audio' : 'image',
    }
  }

  /** The addresses that were used since the last call. */
  takeUsed(): readonly string[] {
    const used = [...this.#used]
    this.#used = new Set()
    return used
  }

  /** The records of those of these addresses that have none yet. */
  recordsOf(addresses: readonly string[]): readonly ImportRecord[] {
    return addresses.flatMap((address) => {
      if (this.#recorded.has(address)) return []
      this.#recorded.add(address)
      const { title, description } = this.#said.get(address) ?? nothingSaid
      const filename = line(withoutDirections(fileNameIn(address))) || 'file'
      const name = shortened(title || filename, 255)
      const object = importedObject({
        collection: 'files',
        id: derivedUuid(this.#options.site, 'file', address),
        attributes: {
          title: name,
          filename: filename.slice(-255).toWellFormed(),
          ...(description === '' ? {} : { description: shortened(description, 10_000) }),
        },
        upload: { address, type: null },
      })
      return importRecord({ origin: { source: `file ${address}`, title: name, line: null }, object })
    })
  }
}
