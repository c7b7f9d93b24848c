import { plainMapping, type ImportRecord, type TableMapping } from '@publishing-service/domain/imports'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { UnreadableSource } from '../unreadable-source.js'
import { readTable, type TableOptions } from './read-table.js'

type Rows = readonly (readonly string[])[]

async function* openRows(rows: Rows) {
  for (const [index, cells] of rows.entries()) yield { line: index + 1, cells }
}

const mapped = (mapping: Partial<TableMapping>): TableMapping => ({ ...plainMapping, ...mapping })

const read = async (rows: Rows, options: Partial<TableOptions> = {}) => {
  const table = await readTable(() => openRows(rows), {
    collection: 'locations',
    mapping: plainMapping,
    zone: 'Europe/Vienna',
    source: '',
    ...options,
  })
  const records: ImportRecord[] = []
  for await (const record of table.records()) records.push(record)
  expect(table.total).to.equal(records.length)
  return { ignored: table.ignored, records }
}

const recordsIn = async (rows: Rows, options: Partial<TableOptions> = {}): Promise<readonly ImportRecord[]> =>
  (await read(rows, options)).records

const eventsAs: Partial<TableOptions> = {
  collection: 'content',
  mapping: mapped({ constants: { content_type: 'event' } }),
}

const attributesIn = async (rows: Rows, options: Partial<TableOptions> = {}) =>
  (await recordsIn(rows, options)).flatMap(({ object }) => (object === null ? [] : [object.attributes]))

const problemOf = async (rows: Rows, options: Partial<TableOptions> = {}): Promise<string> => {
  try {
    await read(rows, options)
    return ''
  } catch (error) {
    if (error instanceof UnreadableSource) return error.message
    throw error
  }
}

describe('readTable', () => {
  it('reads rows whose headers are the names of attributes, and names the others', async () => {
    const { ignored, records } = await read([
      ['id', 'title', 'lat', 'long', 'closed', 'Stars'],
      ['1', 'Tea House', '48.2', '16,3', 'No', '5'],
      ['', '', '', '', '', ''],
      ['2', 'Café', '', '', 'yes', ''],
    ])
    expect(ignored).to.deep.equal(['Stars'])
    expect(records.map(({ object }) => object?.attributes)).to.deep.equal([
      undefined,
      { title: 'Tea House', urlname: 'tea-house', coords: [48.2, 16.3], closed: false },
      { title: 'Café', urlname: 'cafe', closed: true },
    ])
    expect(records[0]?.origin.title).to.equal('Stars')
    expect(records[2]?.origin).to.deep.equal({ source: 'locations 2', title: 'Café', line: 4 })
  })

  it('reads columns by a mapping, with constants, tags and earlier paths', async () => {
    const mapping = mapped({
      columns: {
        Name: 'title',
        Start: 'dtstart',
        Topics: 'tags',
        More: 'tags',
        Old: 'earlier_paths',
        Tickets: 'ticket_urls',
      },
      constants: { content_type: 'event', state: 'published' },
      id: 'Nr',
      separator: ';',
    })
    const [first, second, event, ...others] = await recordsIn(
      [
        ['Nr', 'Name', 'Start', 'Topics', 'More', 'Old', 'Tickets'],
        [
          '7',
          'Tea',
          '2026-05-01 19:00',
          'Food; Drink',
          'Food',
          '/tea/',
          'https://a.example/; https://b.example/',
        ],
      ],
      { collection: 'content', mapping },
    )
    expect(others).to.deep.equal([])
    expect([first, second].map((each) => each?.object?.attributes['last_name_or_title'])).to.deep.equal([
      'Food',
      'Drink',
    ])
    expect(event?.object?.attributes).to.deep.equal({
      content_type: 'event',
      state: 'published',
      title: 'Tea',
      urlname: 'tea-2026-05-01',
      dtstart: '2026-05-01 19:00',
      ticket_urls: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
    })
    expect(event?.object?.tags.map(({ tag }) => tag)).to.deep.equal([first?.object?.id, second?.object?.id])
    expect(event?.object?.earlier_paths).to.deep.equal(['/tea/'])
  })

  it('makes parts of values, and bodies of HTML and of lines', async () => {
    const [event, article] = await attributesIn(
      [
        ['title', 'content_type', 'dtstart', 'rrule.freq', 'rrule.byday', 'rrule.count', 'content'],
        ['Tea', 'event', '2026-05-01', 'WEEKLY', 'MO|TU', '3', '<p>A<script>b</script></p>'],
        ['Milk', 'Article', '', '', '', '', 'One & two\n\nThree'],
      ],
      { collection: 'content' },
    )
    expect(event).to.deep.include({
      rrule: { freq: 'WEEKLY', byday: ['MO', 'TU'], count: 3 },
      urlname: 'tea',
    })
    expect(event?.['content']).to.equal('<p>A</p>')
    expect(article).to.deep.include({
      content_type: 'article',
      content: '<p>One &amp; two</p>\n<p>Three</p>',
    })
  })

  it('derives the same UUID for an id or for a row, and refers to rows of another table', async () => {
    const places = await recordsIn([
      ['id', 'title'],
      ['a', 'Tea House'],
    ])
    const event: Rows = [
      ['title', 'dtstart', 'location_uuid'],
      ['Tea', '2026-05-01', 'a'],
    ]
    const [once] = await recordsIn(event, eventsAs)
    const [again] = await recordsIn(event, eventsAs)
    const [elsewhere] = await recordsIn(event, { ...eventsAs, source: 'town' })
    expect(once?.object?.attributes['location_uuid']).to.equal(places[0]?.object?.id)
    expect(once).to.deep.equal(again)
    expect(elsewhere?.object?.id).not.to.equal(once?.object?.id)
    const twice = await recordsIn([...event, ...event.slice(1)], eventsAs)
    expect(twice.map(({ object }) => object === null)).to.deep.equal([false, true])
    expect(twice[1]?.faults).to.deep.equal([])
  })

  it('reads redirects in their order', async () => {
    const rows = await attributesIn(
      [
        ['from', 'to', 'status'],
        ['https://old.example.org/a?b=1', '/b/', '301'],
        ['/c/**', '/d/\\1', '302'],
      ],
      { collection: 'redirects' },
    )
    expect(rows).to.deep.equal([
      { pattern: '/a?b=1', template: '/b/', permanent: true, ord: 10 },
      { pattern: '/c/**', template: '/d/\\1', permanent: false, ord: 20 },
    ])
  })

  it('names the line, the column and the cell of what is refused, and leaves out what is not needed', async () => {
    const [wrong, without, double] = await recordsIn(
      [
        ['id', 'Name', 'Start', 'End', 'Image'],
        ['1', 'Tea', 'tomorrow', '', ''],
        ['2', 'Milk', '2026-05-01', '31.12.2026', 'cup.jpg'],
        ['2', 'Cake', '2026-05-01', '', ''],
      ],
      {
        collection: 'content',
        mapping: mapped({
          columns: { Name: 'title', Start: 'dtstart', End: 'dtend', Image: 'header_image_uuid' },
          constants: { content_type: 'event' },
        }),
      },
    )
    expect(wrong?.origin.line).to.equal(2)
    expect(wrong?.object).to.equal(null)
    const [refused] = wrong?.faults ?? []
    expect(refused?.path).to.include('Start')
    expect(refused?.message).to.include('tomorrow')
    expect(without?.object?.attributes).to.have.keys('content_type', 'title', 'urlname', 'dtstart')
    expect(without?.notes.map(({ kind, line }) => [kind, line])).to.deep.equal([
      ['cell', 3],
      ['cell', 3],
    ])
    expect(without?.notes[0]?.text).to.match(/End.*31\.12\.2026/)
    expect(double?.faults[0]?.path).to.include('id')
    const [untitled] = await recordsIn([
      ['id', 'title'],
      ['1', ''],
    ])
    expect(untitled?.faults.map(({ path }) => path)).to.deep.equal(['column “title”'])
    const [timeless] = await recordsIn([['title'], ['Tea']], eventsAs)
    expect(timeless?.faults.map(({ path }) => path)).to.deep.equal(['dtstart'])
  })

  it('refuses rows with too few or too many cells, without an id, and of other content', async () => {
    const rows = await recordsIn(
      [
        ['id', 'title', 'content_type'],
        ['1', 'Tea'],
        ['2', 'Tea', 'article', 'more'],
        ['', 'Tea', 'article'],
        ['3', 'Tea', 'recipe'],
        ['4', 'Tea', ''],
        ['5', 'Tea', 'article', ''],
      ],
      { collection: 'content' },
    )
    expect(rows.map(({ faults }) => faults.length)).to.deep.equal([1, 1, 1, 1, 1, 0])
    expect(rows[3]?.faults[0]?.message).to.include('recipe')
    expect(rows.map(({ origin }) => origin.line)).to.deep.equal([2, 3, 4, 5, 6, 7])
  })

  it('says which attributes a type does not have', async () => {
    const [article] = await recordsIn(
      [
        ['title', 'content_type', 'dtstart'],
        ['Tea', 'article', '2026-05-01'],
      ],
      { collection: 'content' },
    )
    expect(article?.object?.attributes).not.to.have.property('dtstart')
    expect(article?.notes.map(({ kind }) => kind)).to.deep.equal(['column'])
  })

  it('refuses tables and mappings that do not fit', async () => {
    const rows: Rows = [['Name'], ['Tea']]
    expect(await problemOf([])).to.include('empty')
    expect(await problemOf(rows)).to.include('“Name”')
    expect(await problemOf([['title', 'title']])).to.include('“title”')
    const wrong: readonly Partial<TableMapping>[] = [
      { columns: { Title: 'title' } },
      { columns: { Name: 'title' }, id: 'Nr' },
      { columns: { Name: 'titel' } },
      { columns: { Name: 'title' }, constants: { stat: 'draft' } },
      { columns: { Name: 'title' }, constants: { state: 'secret' } },
      { columns: { Name: 'coords.x' } },
    ]
    for (const mapping of wrong)
      expect(await problemOf(rows, { mapping: mapped(mapping) }), JSON.stringify(mapping)).to.match(
        /mapping.*(?:Title|Nr|titel|stat|state|coords\.x)|(?:Title|Nr).*mapping/,
      )
  })
})
