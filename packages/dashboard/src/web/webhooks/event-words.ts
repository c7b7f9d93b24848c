import { collectionName, textNamed, useTexts } from '../texts/texts.js'

/** The words of an event such as `content.updated`. */
export const useEventWords = (): ((event: string) => string) => {
  const { collections, webhooks } = useTexts()
  return (event) => {
    if (event === '*') return webhooks.allEvents
    const [collection = '', word] = event.split('.')
    if (word === undefined) return webhooks.testEvent
    return `${collectionName(collections, collection)}: ${textNamed(webhooks.words, word) ?? word}`
  }
}
