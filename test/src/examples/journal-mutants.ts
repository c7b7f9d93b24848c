/** Bugs in the journal of docs/examples, each of which exactly one case of the conformance suite must find. */

export type Mutant = {
  /** What the bug does. */
  readonly name: string
  /** A part of the titles of the tests that find the bug. */
  readonly foundBy: string
  /** Texts in the compiled files of the example, each of which occurs once, and their replacements. */
  readonly changes: readonly (readonly [
    file: 'journal-document-store.js' | 'partitions.js',
    from: string,
    to: string,
  ])[]
}

const store = 'journal-document-store.js'

const insert = `insert: (collection, instance, { id, unique, value }) => write({ collection, instance, id, version: null, put: { unique, value } })`
const size = 'Buffer.byteLength(JSON.stringify(put?.value ?? {})) > largestDocument'
const tooLong =
  'const tooLong = keyTextTooLong(collectionOf(change.collection), put?.unique ?? null, put?.value ?? {});'
const entries = 'findInMemory(collection, partitions.entries(name, instance).values(), query)'

export const mutants: readonly Mutant[] = [
  {
    name: 'counts characters instead of bytes',
    foundBy: 'and returns DocumentTooLarge above it. one byte more',
    changes: [[store, size, 'JSON.stringify(put?.value ?? {}).length > largestDocument']],
  },
  {
    name: 'counts the unique text among the bytes of a document',
    foundBy: 'the largest document that the store accepts',
    changes: [[store, size, 'Buffer.byteLength(JSON.stringify(put ?? {})) > largestDocument']],
  },
  {
    name: 'accepts texts of keys that are too long',
    foundBy: 'with a longer one returns DocumentTooLarge. one byte more',
    changes: [[store, tooLong, 'const tooLong = null;']],
  },
  {
    name: 'compares 300 characters of a unique text',
    foundBy: 'the longest unique texts',
    changes: [
      ['partitions.js', 'idsByUnique.get(unique)', 'idsByUnique.get(unique.slice(0, 300))'],
      ['partitions.js', 'idsByUnique.set(put.unique, id)', 'idsByUnique.set(put.unique.slice(0, 300), id)'],
      [
        'partitions.js',
        'idsByUnique.delete(former.unique)',
        'idsByUnique.delete(former.unique.slice(0, 300))',
      ],
    ],
  },
  {
    name: 'compares 300 characters of a text under a key',
    foundBy: 'the longest texts under two keys of one index and in a list',
    changes: [
      [
        store,
        entries,
        `findInMemory(collection, [...partitions.entries(name, instance).values()].map((entry) =>
          String(entry.document.value.title).length < 300
            ? entry
            : { ...entry, document: { ...entry.document, value: { ...entry.document.value, title: entry.document.value.title.slice(0, 300) } } }), query)`,
      ],
    ],
  },
  {
    name: 'fails one of two writes that wait for each other',
    foundBy: 'documents that swap their unique texts concurrently',
    changes: [
      [
        store,
        tooLong,
        `${tooLong}
        await failureOrNull(journal.readNew());
        const waiting = (globalThis.waiting ??= new Map());
        const holds = partitions.entries(change.collection, change.instance).get(change.id)?.unique;
        const own = Symbol();
        waiting.set(own, { place: file + change.instance, holds, wants: put?.unique });
        await new Promise((resolve) => setImmediate(resolve));
        const isLocked = typeof holds === 'string' && [...waiting.values()].some((other) => other.place === file + change.instance
          && other.holds !== holds && other.holds === put?.unique && other.wants === holds);
        waiting.delete(own);
        if (isLocked) return E.left(portFailure(part, 'deadlock'));`,
      ],
    ],
  },
  {
    name: 'inserts by a replace with version 0',
    foundBy: 'a replace with version 0',
    changes: [
      [
        'partitions.js',
        '(documents.get(id)?.document.version ?? null) !== version',
        '(documents.get(id)?.document.version ?? null) !== (version === 0 ? null : version)',
      ],
    ],
  },
  {
    name: 'writes a replacement with all attributes that are passed',
    foundBy: 'a replace that contains the attributes of an insert',
    changes: [
      [
        store,
        'replace: (collection, instance, { id, version, unique, value }) => write({ collection, instance, id, version, put: { unique, value } })',
        'replace: (collection, instance, replacement) => write({ collection, instance, ...replacement, put: replacement })',
      ],
    ],
  },
  {
    name: 'never sets mayYetApply',
    foundBy: 'A write that failed without `mayYetApply`',
    changes: [[store, '{ ...failure, mayYetApply: true }', 'failure']],
  },
  {
    name: 'returns a full disk like any other failure',
    foundBy: 'A write that does not fit on the disk',
    changes: [[store, "error.code === 'ENOSPC'", "error.code === 'OTHER'"]],
  },
  {
    name: 'sets mayYetApply for a full disk',
    foundBy: 'A write that does not fit on the disk',
    changes: [
      [store, 'failure.storageFull ? failure :', 'failure.storageFull ? { ...failure, mayYetApply: true } :'],
    ],
  },
  {
    name: 'stores that a write was urgent',
    foundBy: 'An urgent write is like any other',
    changes: [
      [
        store,
        insert,
        `insert: (collection, instance, { id, unique, value, urgent }) => write({ collection, instance, id, version: null, put: { unique, value: urgent ? { ...value, urgent } : value } })`,
      ],
    ],
  },
  {
    name: 'has no keys for writes of an older process after a newer one',
    foundBy: 'A write by a process with older declarations',
    changes: [
      [
        store,
        'journal.append({ ...change, by })',
        'journal.append({ ...change, by, known: Object.keys(collectionOf(change.collection).keys) })',
      ],
      [
        'partitions.js',
        'sequence: former?.sequence ?? ++insertions });',
        `sequence: former?.sequence ?? ++insertions, missing: [...(documents.keys_ ?? [])].filter((key) => !change.known.includes(key)) });
        documents.keys_ = new Set([...(documents.keys_ ?? []), ...(change.known ?? [])]);`,
      ],
      [
        store,
        entries,
        `findInMemory(collection, [...partitions.entries(name, instance).values()].map((entry) => entry.missing.length === 0
          ? entry
          : { ...entry, document: { ...entry.document, value: Object.fromEntries(
              Object.entries(entry.document.value).filter(([key]) => !entry.missing.includes(key))) } }), query)`,
      ],
    ],
  },
]
