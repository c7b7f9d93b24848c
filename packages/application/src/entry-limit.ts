/**
 * The options of an LRUCache with this number of entries and whose arrays grow with its entries. With `max`, the
 * cache allocates all of them when it is created, which costs milliseconds and megabytes.
 */
export const entryLimit = (entries: number) => ({ maxSize: entries, sizeCalculation: () => 1 })
