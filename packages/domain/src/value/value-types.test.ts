/** Each type of value accepts what its schema describes, stores it, and reports what is wrong with other values. */
import { expect } from 'chai'
import fc from 'fast-check'
import { describe, it } from 'mocha'
import { E } from '../fp.js'
import type { Json } from '../json.js'
import { resources } from '../resource/resources.js'
import { settingsAttributes } from '../instances/settings.js'
import { media } from '../content/media.js'
import { slot } from '../content/slot.js'
import { redirectTemplate } from '../redirects/redirect.js'
import { webhookAttributes } from '../webhooks/webhook.js'
import { reviewAttributes } from '../content/attributes/type-attributes.js'
import { jsonOf } from '../testing/arbitraries.js'
import { valueContext } from '../testing/index.js'
import { listOf, textsOf } from './record.js'
import { markup } from './markup.js'
import {
  decimalTextPattern,
  integerTextPattern,
  boolean,
  date,
  decimal,
  duration,
  integer,
  oneOf,
  rating,
} from './scalar.js'
import { emailAddresses, webAddress, webAddressOrPath, websiteAddress } from './address.js'
import { asLine, filename, line, parseUuid, text, urlname, uuid } from './text.js'
import type { ValueType } from './value-type.js'

const read = <A extends Json>(type: ValueType<A>, value: unknown): A => {
  const result = type.decode(value, valueContext)
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const messageOf = (type: ValueType, value: unknown): string => {
  const result = type.decode(value, valueContext)
  return E.isLeft(result) ? (result.left[0]?.message ?? '') : `took ${JSON.stringify(result.right)}`
}

const tables = {
  ...Object.fromEntries(resources.map(({ collection, attributes }) => [collection, attributes])),
  media: media.attributes,
  slot: slot.attributes,
  settings: settingsAttributes,
}

describe('a line', () => {
  const type = line({ max: 20, min: 1 })

  it('has no line break of any system, and else what a text has', () => {
    for (const name of ['Ann', 'Ann\tLee', 'Größe 😀', '1']) expect(read(type, name)).to.equal(name)
    expect(read(type, 7)).to.equal('7')
    for (const end of ['\n', '\r', '\r\n', '\u0085', '\u2028', '\u2029'])
      for (const name of [`Ann${end}Lee`, `Ann${end}`, `${end}Ann`]) {
        expect(messageOf(type, name)).to.include('one line')
        expect(read(type, asLine(name))).to.equal(name.includes('Lee') ? 'Ann Lee' : 'Ann')
      }
    expect(messageOf(type, ' ')).to.include('empty')
  })
})

describe('value types', () => {
  for (const [table, attributes] of Object.entries(tables))
    for (const [name, attribute] of Object.entries(attributes)) {
      if (attribute.kind !== 'stored' && attribute.kind !== 'alias') continue
      const { type } = attribute
      it(`${table}.${name} accepts what its schema describes, and its canonical form again`, () => {
        fc.assert(
          fc.property(jsonOf(type.schema), (value) => {
            const taken = read(type, value)
            expect(read(type, taken)).to.deep.equal(taken)
          }),
          { numRuns: 30 },
        )
      })

      it(`${table}.${name} rejects other values with a message and never throws`, () => {
        fc.assert(
          fc.property(fc.anything({ withBigInt: true, withDate: true, withMap: true }), (value) => {
            const result = type.decode(value, valueContext)
            if (E.isLeft(result))
              for (const { message } of result.left) expect(message).to.match(/^(?:must|is|needs|line|can)/)
          }),
          { numRuns: 30 },
        )
      })
    }

  // docs/behaviour/writing.md#texts
  it('texts are measured in characters, not in UTF-16 units', () => {
    const type = text({ max: 3, min: 1 })
    expect(read(type, '😀😀😀')).to.equal('😀😀😀')
    expect(messageOf(type, '😀😀😀😀')).to.equal('must have at most 3 characters')
    expect(messageOf(type, '')).to.equal('must not be empty')
    expect(messageOf(type, true)).to.equal('must be a string')
    expect(messageOf(type, null)).to.equal('must be a string')
  })

  // docs/behaviour/writing.md#texts
  it('texts that must not be empty show something', () => {
    const type = text({ max: 20, min: 1 })
    for (const each of [' ', '\u00a0\t\r\n', '\u200b', '\u00ad\u2060 \ufeff', '\u2800', '\u3164'])
      expect(messageOf(type, each), JSON.stringify(each)).to.equal('must not be empty')
    for (const each of [' x ', '\u200bx', '…', '😀']) expect(read(type, each)).to.equal(each)
  })

  // docs/behaviour/writing.md#other-forms
  it('texts are also taken as numbers where they are short, addresses with white space around them', () => {
    const cases: readonly (readonly [ValueType, unknown, Json])[] = [
      [text({ max: 255 }), 1010, '1010'],
      [text({ max: 255 }), -0.5, '-0.5'],
      [textsOf(text({ max: 255, min: 1 }), 3), [12, 'x'], ['12', 'x']],
      [urlname, 2024, '2024'],
      [reviewAttributes.book_isbn.type, 9783161484100, '9783161484100'],
      [webAddress, ' https://example.org\u00a0', 'https://example.org'],
      [webAddress, '\u200bexample.org\n', 'https://example.org'],
      [webAddressOrPath, ' /x ', '/x'],
      [emailAddresses, ' a@b.example, c@d\u00a0', 'a@b.example, c@d'],
      [filename, 'a\u202egpj.exe\u2069', 'agpj.exe'],
    ]
    for (const [type, sent, value] of cases) {
      expect(read(type, sent)).to.deep.equal(value)
      expect(E.isLeft(type.decode(sent, { ...valueContext, strict: true })), JSON.stringify(sent)).to.equal(
        true,
      )
      expect(read(type, value)).to.deep.equal(value)
    }
    expect(messageOf(text({ max: 10_000 }), 7)).to.equal('must be a string')
    for (const each of [2 ** 53, 1e300])
      expect(messageOf(text({ max: 255 }), each)).to.equal('must be a string')
    expect(messageOf(filename, '\u202e\u2069')).to.equal('must not be empty')
  })

  // docs/behaviour/writing.md#texts
  it('texts are stored unchanged, without control characters and lone surrogates', () => {
    const type = text({ max: 100 })
    for (const each of ['', ' x ', 'a\r\n\tb', 'e\u0301', '\u0085\u2028\ufeff', '\ufffe'])
      expect(read(type, each)).to.equal(each)
    for (const each of ['\u0000', '\u001b[0m', '\u007f', 'a\u000bb'])
      expect(messageOf(type, each)).to.contain('control characters')
    for (const each of ['\ud83d', 'a\ude00b', '\ude00\ud83d'])
      expect(messageOf(type, each)).to.contain('surrogate')
  })

  // docs/behaviour/writing.md#urlname
  it('urlnames are 1 to 255 unreserved characters, but no dot segments', () => {
    for (const each of ['a', 'A-b_c.d~9', '...', '.a', 'x'.repeat(255)])
      expect(read(urlname, each)).to.equal(each)
    for (const each of ['', '.', '..', '?', '…', 'x'.repeat(256), 'a\u0000'])
      expect(messageOf(urlname, each)).to.match(/^must be 1 to 255|^must/)
  })

  it('https:// is prepended to an address without a scheme, and the result is unchanged when it is sent back', () => {
    for (const each of [
      'example.org',
      'www.example.org/x?y=1#z',
      'example.org:8080/x',
      'bücher.example/ü',
      '192.0.2.1',
    ]) {
      expect(read(webAddress, each)).to.equal(`https://${each}`)
      expect(read(webAddress, `https://${each}`)).to.equal(`https://${each}`)
      expect(read(webAddressOrPath, each)).to.equal(`https://${each}`)
    }
    expect(read(webAddress, '//example.org/x')).to.equal('https://example.org/x')
    for (const each of [
      'javascript:alert(1)',
      'javascript:alert.x(1)',
      'java.script:alert(1)',
      'JavaScript.x:1x',
      'data:text/html.x,y',
      'vbscript:x.y',
      'mailto:a@example.org',
      'a@example.org',
      'example.org:x',
      'example.org\\x',
      'example',
      'a.',
      '.a',
      'a..b',
      `${'x'.repeat(2040)}.org/`,
    ])
      for (const type of [webAddress, webAddressOrPath]) expect(messageOf(type, each), each).to.match(/^must/)
  })

  it('an address or path is also a path that starts with one slash', () => {
    for (const each of ['/', '/x/y?z#a', '/ü']) expect(read(webAddressOrPath, each)).to.equal(each)
    for (const each of ['//', '///x', '/\\example.org', 'x/y', '/<b>', '/a b', './x'])
      expect(messageOf(webAddressOrPath, each), each).to.match(/^must/)
  })

  it('web addresses are absolute, of http or https', () => {
    for (const each of [
      'http://a',
      'HTTPS://Example.org:8443/a?b=c#d',
      'https://[::1]/x',
      'https://bücher.example/ü?q=ü',
    ])
      expect(read(webAddress, each)).to.equal(each)
    for (const each of [
      '',
      '/x',
      'ftp://example.org',
      'javascript:alert(1)',
      'https://',
      'https:///x',
      'https://?x',
      'https://a b',
      'https://a/ b',
      'https://a/"',
      'https://a/<b>',
      'https://a\\b/',
      `https://a/${'x'.repeat(2048)}`,
    ])
      expect(messageOf(webAddress, each), each).to.match(/^must/)
  })

  // docs/behaviour/writing.md#addresses
  it('no address has a host that cannot exist, a port beyond 65535, or a user name or password', () => {
    const hosts = [
      'a:99999',
      'a.example:65536',
      '[::1',
      '[::1]]',
      '[fe80::1%25eth0]',
      '256.256.256.256',
      '1.2.3.4.5',
      '%zz',
      '1.2.3.4.5',
      'ex|ample.org',
    ]
    const users = ['user:secret@a.example', 'user@a.example', ':secret@a.example', 'a@b:c@a.example']
    const types = [webAddress, webAddressOrPath, websiteAddress, redirectTemplate]
    for (const type of types) {
      for (const host of [
        'a.example',
        'a.example:65535',
        '[::1]',
        '1.2.3.4',
        'a_b.example',
        'bücher.example',
      ])
        expect(read(type, `https://${host}/x`)).to.equal(`https://${host}/x`)
      for (const host of hosts) {
        expect(messageOf(type, `https://${host}/`), host).to.match(/host/)
        expect(messageOf(type, `https://${host}`), host).to.match(/host/)
      }
      for (const user of users) expect(messageOf(type, `https://${user}/x`), user).to.match(/user name/)
      expect(read(type, 'https://a.example/@user:1')).to.equal('https://a.example/@user:1')
    }
    for (const { type } of [settingsAttributes.hub_url, webhookAttributes.url])
      expect(messageOf(type, 'https://a:99999/')).to.match(/host/)
    const { type: preview } = settingsAttributes.preview_url
    const end = '{path}?token={token}'
    expect(read(preview, `https://a.example${end}`)).to.equal(`https://a.example${end}`)
    for (const host of hosts) expect(messageOf(preview, `https://${host}/${end}`), host).to.match(/^must/)
    for (const user of users) expect(messageOf(preview, `https://${user}/${end}`)).to.match(/user name/)
  })

  // docs/behaviour/instance.md#settings
  it('the address of the website has a scheme, a host, a port and a path only', () => {
    for (const each of ['https://www.example.org', 'http://localhost:8080/', 'https://example.org/magazine/'])
      expect(read(websiteAddress, each)).to.equal(each)
    for (const each of ['https://www.example.org/?x=1', 'https://www.example.org?', 'www.example.org/#/'])
      expect(messageOf(websiteAddress, each), each).to.match(/path/)
  })

  it('e-mail addresses have one @ with something on both sides, names, and commas between them', () => {
    for (const each of [
      'a@b',
      'first.last+tag@example.org',
      'ü@bücher.example',
      'Max <a@b.example>',
      'Max Muster<a@b.example>',
      '"Muster, Max" <a@b.example>',
      'a@b, Max <c@d>,e@f',
    ])
      expect(read(emailAddresses, each)).to.equal(each)
    for (const each of ['', 'a', '@b', 'a@', 'a@b@c', 'a b@c', 'Max <a>', '"a"@b', 'a@b,', ',a@b', 'a@b c@d'])
      expect(messageOf(emailAddresses, each), each).to.match(/^must/)
    for (const each of ['Max <a@b>\nBcc: <c@d>', 'a@b\r\nc@d', 'Max <a@b'])
      expect(messageOf(emailAddresses, each)).to.match(/^must/)
  })

  it('e-mail addresses are validated without exponential backtracking', () => {
    for (const each of [' <a@b>,  '.repeat(110), ' '.repeat(999), 'a@b ,'.repeat(199), '" '.repeat(499)])
      expect(messageOf(emailAddresses, `${each}!`.slice(0, 1000))).to.match(/^must/)
  })

  it('UUIDs of any version and case are accepted, and stored in lower case', () => {
    const id = '9F1C6A52-7C0B-0D55-FF3E-2B7B3F0F8E11'
    expect(read(uuid, id)).to.equal(id.toLowerCase())
    for (const each of [
      '',
      id.slice(1),
      `${id}0`,
      id.replaceAll('-', ''),
      `{${id}}`,
      `urn:uuid:${id}`,
      `${id}\n`,
    ])
      expect(parseUuid(each)).to.equal(null)
  })

  it('numbers are within their bounds, and integers are whole', () => {
    const type = integer({ min: -1, max: 5 })
    for (const each of [-1, 0, 5]) expect(read(type, each)).to.equal(each)
    expect(Object.is(read(type, -0), 0)).to.equal(true)
    for (const each of [-2, 6, 0.5, NaN, Infinity, '6', '01', '1.0', '+1', ' 1', '1e0', '', null, true, 2n])
      expect(messageOf(type, each)).to.equal('must be a whole number from -1 to 5')
    expect(read(decimal({ min: 0, max: 1 }), 0.5)).to.equal(0.5)
    for (const each of [1.01, NaN, -Infinity, '1.01', '.5', '1.', '0,5'])
      expect(messageOf(decimal({ min: 0, max: 1 }), each)).to.equal('must be a number from 0 to 1')
  })

  it('numbers and booleans are also accepted as canonical texts, unless handling is strict', () => {
    const strictly = (type: ValueType, value: unknown) =>
      E.isRight(type.decode(value, { ...valueContext, strict: true }))
    const cases: readonly (readonly [ValueType, unknown, Json])[] = [
      [integer({ min: 0, max: 2_000_000_000 }), '4726206', 4726206],
      [integer({ min: -5, max: 5 }), '-5', -5],
      [decimal({ min: -180, max: 180 }), '29.426', 29.426],
      [decimal({ min: -180, max: 180 }), '-180.0', -180],
      [boolean, 'true', true],
      [boolean, 'false', false],
      [boolean, '1', true],
      [boolean, '0', false],
      [boolean, 1, true],
      [boolean, 0, false],
      [listOf(integer({ min: 1, max: 12 }), 5), ['1', 12, '3'], [1, 12, 3]],
    ]
    for (const [type, sent, value] of cases) {
      expect(read(type, sent)).to.deep.equal(value)
      expect(strictly(type, sent)).to.equal(false)
      expect(strictly(type, value)).to.equal(true)
    }
  })

  it('the pattern of a number as text matches exactly the numbers within its bounds', () => {
    const bound = fc.integer({ min: 0, max: 100_000 })
    fc.assert(
      fc.property(
        bound,
        bound,
        fc.integer({ min: -200_000, max: 200_000 }),
        fc.integer({ min: 0, max: 99 }),
        (below, above, number, hundredths) => {
          const pattern = new RegExp(integerTextPattern(-below, above))
          for (const each of [number, -below, -below - 1, above, above + 1])
            expect(pattern.test(String(each)), String(each)).to.equal(each >= -below && each <= above)
          const decimals = new RegExp(decimalTextPattern(-below, above))
          for (const each of [`${number}.${hundredths}`, `${above}.${hundredths}`, `-${below}.${hundredths}`])
            expect(decimals.test(each), each).to.equal(Number(each) >= -below && Number(each) <= above)
        },
      ),
    )
  })

  it('one text is accepted as a list of short texts, split at commas or lines', () => {
    const names = textsOf(text({ max: 10, min: 1 }), 3)
    expect(read(names, ' Luna, , Selene ,')).to.deep.equal(['Luna', 'Selene'])
    expect(read(names, ['a, b'])).to.deep.equal(['a, b'])
    expect(read(names, '')).to.deep.equal([])
    expect(messageOf(names, 'a,b,c,d')).to.equal('must have at most 3 items')
    expect(messageOf(names, 'a,12345678901')).to.equal('must have at most 10 characters')
    expect(read(textsOf(text({ max: 20, min: 1 }), 3, 'lines'), '1 egg, beaten\r\nsalt\n\n')).to.deep.equal([
      '1 egg, beaten',
      'salt',
    ])
  })

  it('a word may have aliases, which are stored as the word', () => {
    const type = oneOf(['a', 'b'], { c: 'b' })
    expect(read(type, 'c')).to.equal('b')
    expect(messageOf(type, 'toString')).to.equal('must be one of a, b')
  })

  it('booleans and words are accepted only in their exact form', () => {
    for (const each of [2, -1, 'yes', 'TRUE', '', null])
      expect(messageOf(boolean, each)).to.equal('must be true or false')
    expect(messageOf(oneOf(['a', 'b']), 'A')).to.equal('must be one of a, b')
    expect(messageOf(oneOf(['a', 'b']), 'toString')).to.equal('must be one of a, b')
  })

  it('ratings are texts from "0" to "5" in steps of one half', () => {
    for (const each of ['0', '0.5', '1', '4.5', '5']) expect(read(rating, each)).to.equal(each)
    for (const each of ['5.5', '0.0', '1.0', '-1', '6', '', ' 1', '1,5', 4])
      expect(messageOf(rating, each)).to.match(/^must/)
  })

  it('days and durations exist', () => {
    expect(read(date, '2024-02-29')).to.equal('2024-02-29')
    expect(messageOf(date, '2023-02-29')).to.match(/exist/)
    expect(messageOf(date, '2024-02-29T00:00')).to.match(/^must/)
    expect(read(duration, 'PT1H30M')).to.equal('PT1H30M')
    expect(messageOf(duration, '90 minutes')).to.match(/^must/)
  })

  it('lists have a fault for each wrong item at its index, and limits of length', () => {
    const type = listOf(integer({ min: 0, max: 9 }), 3, 1)
    expect(read(type, [1, 2])).to.deep.equal([1, 2])
    const result = type.decode([1, 'x', -1], valueContext)
    expect(E.isLeft(result) && result.left.map(({ path }) => path)).to.deep.equal(['1', '2'])
    expect(messageOf(type, [])).to.equal('must have at least 1 item')
    expect(messageOf(type, [1, 2, 3, 4])).to.equal('must have at most 3 items')
    for (const each of [{}, 'ab', null, { length: 1 }])
      expect(messageOf(type, each)).to.equal('must be a list')
  })
})

// docs/behaviour/body.md#named-references
describe('markup with named references of HTML', () => {
  const type = markup({ slots: false, max: 1000 })

  it('has the characters in their place, and keeps the references of XML and comments', () => {
    for (const [sent, stored] of [
      ['<p>a&nbsp;b&hellip;&frac12;&Eacute;</p>', '<p>a\u00a0b…½É</p>'],
      ['<p title="&rsquo;&QUOT;&Tab;">x</p>', '<p title="’&quot;&#9;">x</p>'],
      ['<a href="/?a&AMP;b">&LT;&nvlt;&NotEqualTilde;</a>', '<a href="/?a&amp;b">&lt;&lt;\u20d2≂̸</a>'],
      ['<!-- &nbsp; -->&shy;<!-- &nbsp; -->', '<!-- &nbsp; -->\u00ad<!-- &nbsp; -->'],
      ['&amp;nbsp;&apos;&#160;&CounterClockwiseContourIntegral;', '&amp;nbsp;&apos;&#160;∳'],
    ] as const) {
      expect(read(type, sent)).to.equal(stored)
      expect(read(type, stored)).to.equal(stored)
    }
  })

  it('has faults at their place in the sent text', () => {
    for (const [sent, place] of [
      ['<p>&nbsp;&nosuch;</p>', 'line 1, column 10: found &nosuch;'],
      ['<p>&nbsp;&constructor;</p>', 'line 1, column 10: found &constructor;'],
      ['<p>&nbsp</p>', 'line 1, column 4: found an & that'],
      ['<ul>&nbsp;</ul>', 'line 1, column 5: found the text'],
      ['<p>&hellip;\n&NewLine;&nbsp;<main/></p>', 'line 2, column 16: found <main>'],
      ['<a href="java&Tab;script&colon;x">x</a>', 'line 1, column 10: found href'],
      ['<p>&nbsp;<!-- &nbsp; </p>', 'line 1, column 10: found a comment without its end'],
    ] as const)
      expect(messageOf(type, sent)).to.include(place)
  })

  it('has each fault on a line, with what is allowed once', () => {
    const lines = (messageOf(type, `&nbsp;<main/>\n&nbsp;<font/>${'<main/>'.repeat(19)}`) ?? '').split('\n')
    expect(lines[0]).to.match(/^line 1, column 7: found <main>, allowed here: text, inline/)
    expect(lines[1]).to.equal('line 2, column 7: found <font>, allowed here: the same as in line 1, column 7')
    expect(lines).to.have.lengthOf(21)
    expect(lines.at(-1)).to.equal('There are more faults.')
  })

  it('is a fault with strict handling', () => {
    expect(E.isLeft(type.decode('<p>&nbsp;</p>', { ...valueContext, strict: true }))).to.equal(true)
  })
})

describe('markup or plain text', () => {
  const type = markup({ slots: false, max: 100, plainText: true })

  it('accepts a text without < unchanged', () => {
    for (const value of ['', 'Salt & pepper', 'a &nbsp; b > c', ']]>', ' line\nline '])
      expect(read(type, value)).to.equal(value)
    expect(messageOf(type, 'a\u0000b')).to.include('control characters')
    expect(messageOf(type, 'x'.repeat(101))).to.include('at most 100')
  })

  it('checks a text with < as markup', () => {
    expect(read(type, 'Salt &amp; <b>pepper</b>')).to.equal('Salt &amp; <b>pepper</b>')
    for (const value of ['Salt & <b>pepper</b>', 'a < b', '<script/>', '<slot/>'])
      expect(messageOf(type, value)).to.match(/^line 1, column \d+: found /)
  })

  it('is not accepted by other markup types', () => {
    expect(messageOf(markup({ slots: false, max: 100 }), 'Salt & pepper')).to.include('line 1, column 6')
    expect(messageOf(markup({ slots: true, max: 100 }), 'Salt & pepper')).to.include('line 1, column 6')
  })
})
