/**
 * Families of paths below an instance that the API once had, with what took their place
 * (docs/behaviour/deprecated.md#slideshows).
 */
const removed: ReadonlyMap<string, string> = new Map([
  ['slideshows', 'the media slots of content, /{iid}/content/{uuid}/slots'],
])

/** What took the place of a removed path, whatever the method; null where the path isn't one. */
export const replacementOf = (path: string): string | null => {
  const family = /^\/[1-9]\d{0,8}\/([a-z]+)(?:\/|$)/.exec(path)?.[1]
  return family === undefined ? null : (removed.get(family) ?? null)
}
