/** Removed paths below an instance, with their replacements (docs/behaviour/deprecated.md#slideshows). */
const removed: ReadonlyMap<string, string> = new Map([
  ['slideshows', 'the media slots of content, /{iid}/content/{uuid}/slots'],
])

/** The replacement of a removed path, for every method; null for other paths. */
export const replacementOf = (path: string): string | null => {
  const family = /^\/[1-9]\d{0,8}\/([a-z]+)(?:\/|$)/.exec(path)?.[1]
  return family === undefined ? null : (removed.get(family) ?? null)
}
