/** Checks which texts a running service accepts as the `content` of media, many per request. */
import { expect } from 'chai'
import { expectOk, infoOf, objectsOf, uuidOf } from './expect-response.js'
import type { Publication } from './publication.js'

const slot = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
/** The maximum number of faults in one response. */
const batch = 200

export type MarkupChecker = {
  /**
   * Returns the accepted texts, after checking that they read back unchanged. `onFault` receives the messages of
   * the others.
   */
  readonly accepted: (
    texts: readonly string[],
    onFault?: (message: string) => void,
  ) => Promise<readonly string[]>
  /** The same for one body. */
  readonly acceptedBody: (text: string, onFault?: (message: string) => void) => Promise<boolean>
}

export const createMarkupChecker = async ({ editor }: Publication): Promise<MarkupChecker> => {
  const body = { content_type: 'article', title: 'x', urlname: 'x' }
  const story = uuidOf(await editor.post('/content', { ...body, content: `<slot id="${slot}"/>` }))
  const other = uuidOf(await editor.post('/content', { ...body, urlname: 'y' }))
  const media = `/content/${story}/slots/${slot}/media`
  const put = (texts: readonly string[]) =>
    editor.put(media, { items: texts.map((content) => ({ type: 'embed', embed_code: 'x', content })) })

  return {
    accepted: async (texts, onFault = () => undefined) => {
      const valid: string[] = []
      for (let from = 0; from < texts.length; from += batch) {
        const part = texts.slice(from, from + batch)
        const response = await put(part)
        const faults = response.status === 200 ? {} : infoOf(response)
        for (const [path, message] of Object.entries(faults)) {
          expect(path).to.match(/^items\.[0-9]+\.content$/)
          onFault(message)
        }
        const accepted = part.filter((_text, index) => !(`items.${index}.content` in faults))
        if (accepted.length === 0) continue
        if (accepted.length < part.length) expectOk(await put(accepted))
        expect(objectsOf(await editor.get(media)).map(({ content }) => content)).to.deep.equal(accepted)
        valid.push(...accepted)
      }
      return valid
    },
    acceptedBody: async (text, onFault = () => undefined) => {
      const response = await editor.patch(`/content/${other}`, { content: text })
      if (response.status === 200) {
        expect(expectOk(await editor.get(`/content/${other}`)).object['content']).to.equal(text)
        return true
      }
      onFault(infoOf(response)['content'] ?? '')
      return false
    },
  }
}
