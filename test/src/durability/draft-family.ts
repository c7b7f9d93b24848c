/** Drafts of articles, which are changed, published and dropped. */
import type { JsonObject } from '@publishing-service/domain/json'
import { idOf } from '../harness/object-writer.js'
import { percent, type Family } from './family.js'
import { initialWord } from './fixed-objects.js'
import { articleWith, readArticle } from './written-objects.js'

/** An article with the words that are published, and the word of its draft. */
const withDraft = (published: string, draft: string | null): JsonObject => ({
  ...articleWith(published),
  draft,
})

export const drafts: Family = {
  weight: 2,
  names: ({ drafted }) => ({ [`/content/${drafted}`]: withDraft(initialWord, null) }),
  next: ({ name, current, targets }) => {
    const published = String(current?.['title'])
    const draft = current?.['draft']
    const word = targets.word()
    if (typeof draft !== 'string' && percent(targets, 20))
      return { value: withDraft(word, null), send: (api) => api.patch(name, articleWith(word)) }
    if (typeof draft !== 'string' || percent(targets, 20))
      return {
        value: withDraft(published, word),
        send: (api) => api.patch(`${name}/draft`, articleWith(word)),
      }
    return percent(targets, 15)
      ? { value: withDraft(published, null), send: (api) => api.delete(`${name}/draft`) }
      : { value: withDraft(draft, null), send: (api) => api.post(`${name}/draft/publish`, {}) }
  },
  read: async (api, name) => {
    const id = idOf(name)
    const published = await readArticle(api, id)
    return published === null ? null : withDraft(published, await readArticle(api, `${id}/draft`))
  },
}
