/** Schemas describe exactly what is accepted: cases that a fuzzer or a wire test found. */
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import type { Json } from '@publishing-service/domain/json'
import { openApiDocument } from './document.js'

const quick = { validateSchema: false, inlineRefs: false, code: { optimize: false } } as const
const ajv = new Ajv2020({ strict: false, logger: false, ...quick })
addFormats.default(ajv)
ajv.addSchema(openApiDocument(), 'document')

const validators = new Map<string, ValidateFunction>()

const takes = (name: string, value: Json): boolean => {
  const validate = validators.get(name) ?? ajv.compile({ $ref: `document#/components/schemas/${name}` })
  validators.set(name, validate)
  return validate(value)
}

describe('what can be sent, according to the document', function () {
  // Schemas of many attributes take a while to compile.
  this.timeout(60_000)

  it('is a list of stories with items, or one whose items the service chooses', () => {
    for (const right of [
      { items: [] },
      { auto: false, items: [] },
      { auto: null, items: [] },
      { auto: true },
      { auto: 'true' },
      { auto: true, auto_max: 0 },
      { auto: true, auto_max: '100' },
      { auto: true, items: 'ignored' },
    ])
      expect(takes('StoryListInput', right), JSON.stringify(right)).to.equal(true)
    for (const wrong of [
      {},
      { auto: false },
      { auto: true, auto_max: -1 },
      { auto: true, auto_max: '101' },
      { items: 'no list' },
    ])
      expect(takes('StoryListInput', wrong), JSON.stringify(wrong)).to.equal(false)
  })

  it('is an earlier path without control characters', () => {
    expect(takes('EarlierPathInput', { path: '/old/place/' })).to.equal(true)
    for (const control of ['\u0000', '\u0007', '\u001b', '\u007f', '\n'])
      expect(takes('EarlierPathInput', { path: `/old/${control}place/` })).to.equal(false)
  })

  it('is a name or a whole number at Facebook, and a price index in any letter case', () => {
    for (const fb_uid of ['007', 'the.daily-test', 7, -7, null])
      expect(takes('LocationChange', { fb_uid })).to.equal(true)
    for (const fb_uid of ['x/', 7.5, true]) expect(takes('LocationChange', { fb_uid })).to.equal(false)
    expect(takes('LocationChange', { price_index: 'VERY expensive' })).to.equal(true)
  })

  it('is a medium of a provider by any of its names, which reads under one', () => {
    const url = 'https://youtu.be/x'
    const external = { type: 'external', url, urls: [{ url }] }
    for (const url_type of ['video_host_1', 'youtube', 'video'])
      expect(takes('MediumInput', { ...external, url_type }), url_type).to.equal(true)
    expect(takes('MediumInput', { ...external, url_type: 'radio' })).to.equal(false)
  })

  it('is a medium with what its kind needs, and not empty', () => {
    const id = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'
    const [url, urls] = ['https://a.example/b', [{ url: 'https://a.example/b' }]]
    for (const right of [
      { type: 'file', image_uuid: id },
      { type: 'file', file_uuid: id, image_uuid: null },
      { type: 'external', url_type: 'vimeo', url, urls: null },
      { type: 'external', url_type: 'audio', urls, url: null },
      { type: 'external', url_type: 'video', urls, url },
      { type: 'embed', embed_code: '<b/>' },
    ])
      expect(takes('MediumInput', right), JSON.stringify(right)).to.equal(true)
    for (const wrong of [
      { type: 'file' },
      { type: 'file', image_uuid: null, file_uuid: null },
      { type: 'external', url_type: 'vimeo' },
      { type: 'external', url_type: 'vimeo', url: null },
      { type: 'external', url_type: 'vimeo', urls },
      { type: 'external', url_type: 'audio', url },
      { type: 'external', url_type: 'audio', urls: [] },
      { type: 'embed', url },
    ])
      expect(takes('MediumInput', wrong), JSON.stringify(wrong)).to.equal(false)
  })

  it('is a tag that has what belongs to persons only as one, and a slot with a known display', () => {
    const tag = { last_name_or_title: 'Lovelace', urlname: 'lovelace' }
    for (const right of [
      tag,
      { ...tag, type: 'person', first_name: 'Ada' },
      { ...tag, type: 'person' },
      { ...tag, type: 'default', first_name: '', email: null },
      { ...tag, type: null },
    ])
      expect(takes('TagInput', right), JSON.stringify(right)).to.equal(true)
    for (const wrong of [
      { ...tag, first_name: 'Ada' },
      { ...tag, type: 'default', website: 'https://a.example' },
      { ...tag, type: null, fb_username: 'ada' },
    ])
      expect(takes('TagInput', wrong), JSON.stringify(wrong)).to.equal(false)
    for (const right of [
      {},
      { display: 'gallery' },
      { display: 'gallery', relevance: null },
      { display: 'gallery', relevance: 'inline' },
      { display: 'gallery', relevance: 'aside' },
      { display: null, relevance: 'aside' },
    ])
      expect(takes('SlotInput', right), JSON.stringify(right)).to.equal(true)
    expect(takes('SlotInput', { display: 'grid' })).to.equal(false)
  })

  it('is a rule of recurrence that counts days, weeks and places from 1 or from -1', () => {
    const of = (rrule: Json) => ({ rrule: { freq: 'YEARLY', ...(rrule as object) } })
    for (const name of ['bymonthday', 'byyearday', 'byweekno', 'bysetpos']) {
      expect(takes('ContentEventChange', of({ [name]: [1, -1, 31, -31] })), name).to.equal(true)
      for (const wrong of [0, 367, -367, 1.5])
        expect(takes('ContentEventChange', of({ [name]: [wrong] })), `${name} ${wrong}`).to.equal(false)
    }
    expect(takes('ContentEventChange', of({ byhour: [0] }))).to.equal(true)
  })

  it('is a date-time that a calendar can have, and an address that leads somewhere', () => {
    const day = (created: Json) => takes('TagChange', { created })
    for (const right of [
      '2026-02-28',
      '2026-12-31T23:59:59.5',
      '0001-01-01 00:00',
      '2026-05-01T10:00+0530',
      null,
    ])
      expect(day(right), String(right)).to.equal(true)
    for (const wrong of [
      '0000-01-01',
      '2026-13-01',
      '2026-01-32',
      '2026-01-01T24:00',
      '2026-01-01T10:60',
      '2026-1-1',
    ])
      expect(day(wrong), wrong).to.equal(false)
    const address = (website: Json) => takes('TagChange', { website })
    for (const right of [
      'HTTP://a.example',
      'www.a.example/x',
      '//a.example',
      'https://wörter.example/ü?q=1#x',
    ])
      expect(address(right)).to.equal(true)
    for (const wrong of [
      'javascript:alert(1)',
      '/x',
      'x',
      'http://',
      'HTTP://',
      'https:///x',
      'ftp://a.example',
      'https://a b',
      'https://a/<',
    ])
      expect(address(wrong), wrong).to.equal(false)
  })

  it('is latitude before longitude', () => {
    for (const coords of [
      [48.2, 163.3],
      ['48.2', '-163.3'],
    ])
      expect(takes('LocationChange', { coords })).to.equal(true)
    for (const coords of [['163.3', 48.2], [163.3, 48.2], [48.2], [48.2, 16.3, 171]])
      expect(takes('LocationChange', { coords })).to.equal(false)
  })

  it('is a number or boolean, or its canonical text', () => {
    for (const ord of [7, '7', '-7', '2000000000'])
      expect(takes('SectionChange', { ord }), String(ord)).to.equal(true)
    for (const ord of ['2000000001', '7.0', '07', '', 'x', 7.5, true])
      expect(takes('SectionChange', { ord }), String(ord)).to.equal(false)
    for (const hide_in_nav of [true, 'false', '1', 0])
      expect(takes('SectionChange', { hide_in_nav }), String(hide_in_nav)).to.equal(true)
    for (const hide_in_nav of ['yes', 2, -1, 'TRUE'])
      expect(takes('SectionChange', { hide_in_nav }), String(hide_in_nav)).to.equal(false)
  })

  it('is a section or tag without a urlname, a list of names as one text, and a review of no kind', () => {
    expect(takes('SectionInput', { title: 'x' })).to.equal(true)
    expect(takes('SectionInput', { title: 'x', urlname: null })).to.equal(true)
    expect(takes('SectionChange', { urlname: null })).to.equal(false)
    expect(takes('TagChange', { synonyms: 'Luna, Selene' })).to.equal(true)
    expect(takes('TagChange', { synonyms: 7 })).to.equal(false)
    const review = { content_type: 'review', title: 'x', urlname: 'x' }
    expect(takes('ContentInput', review)).to.equal(true)
    expect(takes('ContentInput', { ...review, content_type: 'reviews' })).to.equal(false)
  })

  it('accepts attributes of any type in a change, which does not contain the type of the object', () => {
    expect(takes('ContentChange', { recipe_yield: '4 servings', dtend: '2026-01-01' })).to.equal(true)
    expect(takes('ContentChange', { title: null })).to.equal(false)
    expect(takes('ContentChange', { evergreen: 'yes' })).to.equal(false)
  })
})

describe('what is returned, according to the document', () => {
  it('has every attribute, absent ones as null', () => {
    const tag = { type: 'content', link_uuid: '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11' }
    expect(takes('StoryContent', tag)).to.equal(false)
    const absent = { title: null, description: null, image_uuid: null, image_url: null }
    expect(takes('StoryContent', { ...tag, ...absent })).to.equal(true)
  })

  it('has no null for a type, size or download address, which a file has with its data', () => {
    const file = {
      title: 'T',
      filename: 'f.png',
      description: null,
      credits: null,
      focal_point: null,
      placeholder: null,
      created: '2026-01-01T00:00:00',
      modified: '2026-01-01T00:00:00',
      created_by: null,
      width: null,
      height: null,
      uuid: '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
      url: 'http://localhost/1/files/9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11',
    }
    expect(takes('File', file)).to.equal(true)
    const ofData = { mimetype: 'image/png', byte_size: 7, download_url: `${file.url}/download/1` }
    expect(takes('File', { ...file, ...ofData })).to.equal(true)
    for (const name of Object.keys(ofData)) expect(takes('File', { ...file, [name]: null })).to.equal(false)
  })

  it('has web addresses beyond ASCII as they were sent', () => {
    expect(takes('EarlierPath', { path: '/ä/' })).to.equal(true)
    const link = { type: 'link', link_url: 'https://wörter.example/ü?q=ä' }
    const absent = { title: null, description: null, image_uuid: null, image_url: null }
    expect(takes('StoryLink', { ...link, ...absent })).to.equal(true)
  })
})
