/**
 * The options of an LRUCache of so many entries whose arrays grow with its entries. With `max` it allocates all of them
 * at its construction, which takes milliseconds and megabytes.
 */
export const entryLimit = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
