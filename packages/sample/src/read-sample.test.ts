import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { readSample } from './read-sample.js'
import type { ImportedObject } from '@publishing-service/domain/imports'

const publication = fileURLToPath(new URL('../publication', import.meta.url))

/** The message of reading a copy of the publication in which one file has another text. */
const messageAfter = async (file: string, change: (text: string) => string | null): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'sample-'))
  try {
    await cp(publication, folder, { recursive: true })
    const path = join(folder, file)
    const text = change(await readFile(path, 'utf8'))
    await (text === null ? rm(path) : writeFile(path, text))
    await readSample(folder)
    return 'read'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const objectsOf = async (name: string): Promise<readonly ImportedObject[]> =>
  (await readSample()).objects.filter(({ collection }) => collection === name)

describe('readSample', () => {
  it('returns the objects in the order in which they are created', async () => {
    const { settings, objects } = await readSample()
    expect(settings).to.deep.equal({
      title: 'The Long Exposure',
      timezone: 'Europe/Vienna',
      directory_addon: true,
      website_url: 'https://www.example.org',
    })
    const counts = new Map<string, number>()
    for (const { collection } of objects) counts.set(collection, (counts.get(collection) ?? 0) + 1)
    expect([...counts].map(([name, count]) => `${name}: ${count}`)).to.deep.equal([
      'tags: 8',
      'files: 6',
      'sections: 5',
      'locations: 3',
      'content: 12',
      'blogs: 1',
      'comments: 5',
      'redirects: 1',
      'tag_categories: 1',
      'homepage: 1',
    ])
  })

  it('returns an introduction that is a story with a gallery', async () => {
    const { introduction } = await readSample()
    const story = (await objectsOf('content')).find(({ id }) => id === introduction)
    expect(story?.slots.map(({ attributes }) => attributes)).to.deep.equal([
      { relevance: 'inline', display: 'gallery' },
    ])
    expect(story?.slots[0]?.media).to.have.length(3)
  })

  it('returns the bodies of stories without their root element', async () => {
    for (const { id, attributes } of await objectsOf('content'))
      expect(attributes['content'], id).to.match(/^<p>[^]*>$/)
  })

  it('uses every file of the publication', async () => {
    const { objects } = await readSample()
    const collections = new Set(objects.map(({ collection }) => collection))
    const used = [
      'publication.json',
      ...[...collections].filter((name) => name !== 'content').map((name) => `${name}.json`),
      ...objects.flatMap(({ upload }) => (upload === null ? [] : [upload.address])),
    ]
    const entries = await readdir(publication, { recursive: true, withFileTypes: true })
    const files = entries
      .filter((entry) => entry.isFile() && entry.name !== 'CREDITS.md')
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(publication.length + 1)
          .replaceAll(sep, '/'),
      )
    const stories = files.filter((path) => path.startsWith('stories/'))
    expect(files.filter((path) => !stories.includes(path))).to.have.members(used)
    expect(stories).to.have.length(2 * (await objectsOf('content')).length)
  })

  it('has a different UUID for each object', async () => {
    const ids = (await readSample()).objects.map(({ id }) => id)
    expect(new Set(ids).size).to.equal(ids.length)
  })
})

describe('readSample rejects, with the file and the place in it,', () => {
  const replaced = (from: string, to: string) => (text: string) => {
    expect(text).to.include(from)
    return text.replace(from, to)
  }
  for (const [what, file, change, message] of [
    ['a file that is missing', 'tags.json', () => null, /tags\.json cannot be read: ENOENT/],
    ['text that is not JSON', 'blogs.json', () => '[{]', /blogs\.json is not JSON: /],
    ['another value than a list', 'blogs.json', () => '{}', /blogs\.json must be a list of objects$/],
    [
      'an object without a UUID',
      'sections.json',
      replaced('"id": "4c390b38', '"id": "x4c390b38'),
      /sections\.json\[1\]: id must be a UUID$/,
    ],
    [
      'a field that is not accepted',
      'sections.json',
      replaced('"later"', '"afterwards"'),
      /sections\.json\[0\]: afterwards is not accepted: the names are collection, id, attributes, /,
    ],
    [
      'the media of a slot',
      'stories/test-cat.json',
      replaced('"media"', '"images"'),
      /stories\/test-cat\.json: slots\.0\.media must be a list$/,
    ],
    [
      'a setting',
      'publication.json',
      replaced('"directory_addon": true', '"directory_addon": "yes"'),
      /publication\.json\.settings\.directory_addon is missing, or of another type$/,
    ],
    [
      'a body without its root element',
      'stories/test-cat.xml',
      replaced('</body>', ''),
      /stories\/test-cat\.xml must have the line <body> first, /,
    ],
    ['a body that is missing', 'stories/affogato.xml', () => null, /stories\/affogato\.xml cannot be read: /],
    [
      'data that are missing',
      'photographs/rocket.jpg',
      () => null,
      /photographs\/rocket\.jpg of files .* cannot be read: ENOENT/,
    ],
  ] as const)
    it(what, async () => {
      const found = await messageAfter(file, change)
      expect(found).to.match(/^The sample publication is wrong: /)
      expect(found).to.match(message)
    })
})
