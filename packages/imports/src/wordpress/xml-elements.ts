/** Reads the elements of an export one after the other, so that the memory does not grow with the file. */
import { SaxesParser } from 'saxes'
import { UnreadableSource, type SourcePlace } from '../unreadable-source.js'

/** An element within the channel, with everything in it. */
export type XmlElement = {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly line: number
  /** Its own text. */
  readonly text: string
  readonly children: readonly XmlElement[]
}

/** What was repaired in the text of the file. */
export type XmlRepairs = {
  /** Control characters, which XML does not have. */
  removedCharacters: number
  /** Names of characters that XML does not have, such as `&nbsp;`. */
  unknownReferences: number
}

type OpenElement = Omit<XmlElement, 'children' | 'text'> & {
  readonly texts: string[]
  readonly children: XmlElement[]
}

/** In characters: the longest element within the channel, such as a post with its comments. */
const longestElement = 64 * 1024 * 1024
/** In characters: the longest text, comment or value. */
const longestText = 16 * 1024 * 1024
const deepestElement = 12
const pieceLength = 64 * 1024

// Characters that XML 1.0 does not have. The parser complains about the halves of surrogate pairs by itself.
// oxlint-disable-next-line no-control-regex
const illegal = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g

const half = /(?:[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff])/g

const endsWithHalf = (text: string): boolean => /[\ud800-\udbff]$/.test(text)

class ElementReader {
  readonly #parser = new SaxesParser({ xmlns: false })
  readonly #open: OpenElement[] = []
  #found: XmlElement[] = []
  #fault: UnreadableSource | null = null
  #rest = ''
  /** Characters since the parser has last said something, and of the element within the channel. */
  #silent = 0
  #length = 0
  #hasChannel = false
  readonly #repairs: XmlRepairs

  constructor(repairs: XmlRepairs) {
    this.#repairs = repairs
    const parser = this.#parser
    parser.on('error', (error) => this.#complain(error.message))
    parser.on('doctype', (text) => {
      if (text.includes('[')) this.#refuse('the file declares entities, which no export of WordPress does')
    })
    parser.on('opentag', ({ name, attributes }) => this.#start(name, attributes))
    parser.on('closetag', () => this.#end())
    const addText = (text: string): void => {
      this.#silent = 0
      this.#open.at(-1)?.texts.push(text)
    }
    parser.on('text', addText)
    parser.on('cdata', addText)
    parser.on('comment', () => {
      this.#silent = 0
    })
  }

  get #place(): SourcePlace {
    return { line: this.#parser.line, column: this.#parser.column }
  }

  #refuse(reason: string): void {
    this.#fault ??= new UnreadableSource(reason, this.#place)
  }

  #complain(message: string): void {
    const reason = message.replace(/^\d+:\d+: /, '').replace(/\.$/, '')
    if (reason === 'undefined entity') this.#repairs.unknownReferences += 1
    else this.#refuse(`the file is damaged or cut off: ${reason}`)
  }

  #start(name: string, attributes: Readonly<Record<string, string>>): void {
    this.#silent = 0
    const depth = this.#open.length
    if (depth === 0 && name !== 'rss')
      this.#refuse(
        `the file is no export of WordPress: it begins with <${name.slice(0, 50)}>, not with <rss>`,
      )
    if (depth === 1 && name === 'channel') this.#hasChannel = true
    if (depth >= deepestElement)
      this.#refuse(`there are more than ${deepestElement} elements within each other`)
    if (depth === 2) this.#length = 0
    this.#open.push({ name, attributes, line: this.#parser.line, texts: [], children: [] })
  }

  #end(): void {
    this.#silent = 0
    const element = this.#open.pop()
    if (element === undefined) return
    const { texts, ...rest } = element
    const ended = { ...rest, text: texts.join('') }
    if (this.#open.length === 2) this.#found.push(ended)
    else if (this.#open.length > 2) this.#open.at(-1)?.children.push(ended)
  }

  #writePiece(piece: string): void {
    const legal = piece.replaceAll(illegal, '').replaceAll(half, '')
    this.#repairs.removedCharacters += piece.length - legal.length
    this.#silent += piece.length
    this.#length += piece.length
    this.#parser.write(legal)
    if (this.#silent > longestText) this.#refuse(`there is a text of more than ${longestText} characters`)
    if (this.#length > longestElement && this.#open.length > 2)
      this.#refuse(`there is an element of more than ${longestElement} characters`)
    if (this.#fault !== null) throw this.#fault
  }

  #take(): readonly XmlElement[] {
    const found = this.#found
    this.#found = []
    return found
  }

  /** Returns the elements that the piece completes. */
  write(text: string): readonly XmlElement[] {
    let read = this.#rest + text
    this.#rest = endsWithHalf(read) ? read.slice(-1) : ''
    if (this.#rest !== '') read = read.slice(0, -1)
    for (let at = 0; at < read.length;) {
      const piece = read.slice(at, at + pieceLength)
      const whole = endsWithHalf(piece) && at + piece.length < read.length ? piece.slice(0, -1) : piece
      this.#writePiece(whole)
      at += whole.length
    }
    return this.#take()
  }

  end(): void {
    this.#parser.close()
    if (this.#fault === null && !this.#hasChannel)
      this.#refuse('the file is no export of WordPress: it has no <channel>')
    if (this.#fault !== null) throw this.#fault
  }
}

/** The elements within the channel of an export. Throws `UnreadableSource` for a file that is none, or is cut off. */
export async function* readElements(
  texts: AsyncIterable<string>,
  repairs: XmlRepairs,
): AsyncGenerator<XmlElement, void> {
  const reader = new ElementReader(repairs)
  for await (const text of texts) yield* reader.write(text)
  reader.end()
}
