import type { Schema } from '@publishing-service/domain/declare'
import { expect } from 'chai'
import { describe, it } from 'mocha'
import { describeSchema } from './describe-schema.js'

describe('describeSchema', () => {
  const cases: readonly (readonly [Schema, string])[] = [
    [{ type: 'string', maxLength: 255 }, 'text, up to 255 characters'],
    [{ type: 'string', minLength: 1, maxLength: 255 }, 'text, 1–255 characters'],
    [{ type: 'string', format: 'uuid', maxLength: 36 }, 'UUID'],
    [{ type: 'string', format: 'body-markup', maxLength: 1000 }, 'markup with slots, up to 1000 characters'],
    [{ type: 'string', format: 'markup-or-text', maxLength: 9 }, 'markup or plain text, up to 9 characters'],
    [{ type: 'string', format: 'date' }, 'date'],
    [{ type: 'string', format: 'web-address', maxLength: 2048 }, 'web address'],
    [
      {
        anyOf: [
          { type: 'string', format: 'uuid' },
          { type: 'integer', minimum: 0 },
        ],
      },
      'UUID or whole number from 0',
    ],
    [
      { type: 'array', format: 'coordinates', prefixItems: [{ type: 'number' }, { type: 'number' }] },
      'coordinates: number, number',
    ],
    [{ type: 'string', enum: ['a', 'b'] }, '`a`, `b`'],
    [{ type: 'integer', minimum: 1, maximum: 100 }, 'whole number 1–100'],
    [{ type: 'integer', minimum: -5 }, 'whole number from -5'],
    [{ type: 'number' }, 'number'],
    [{ type: 'boolean' }, '`true` or `false`'],
    [
      { type: 'array', items: { type: 'string', format: 'uuid' }, maxItems: 50 },
      'list of UUID, up to 50 items',
    ],
    [{ type: 'object', properties: { url: {}, link_text: {} } }, 'object with `url`, `link_text`'],
    [{ type: 'object' }, 'object'],
    [{}, 'any value'],
  ]
  for (const [schema, words] of cases)
    it(words, () => {
      expect(describeSchema(schema)).to.equal(words)
    })
})
