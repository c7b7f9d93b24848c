import { storyLimit, storyLists } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { pascalCase } from '../payload.js'
import { partWritten } from './fixed-answers.js'
import { storyListShape, storyShape } from './shapes.js'
import { standard } from './standard.js'

const list = {
  _tag: 'Items',
  name: storyListShape.name,
  of: storyShape,
  most: storyLimit,
  beside: storyListShape,
  chosenBy: 'auto',
} as const

/** The stories of homepages (specification, endpoint table; decisions §12). */
export const homepageEndpoints: readonly Endpoint[] = storyLists.flatMap((stories): readonly Endpoint[] => {
  const path = `/{iid}/homepage/{uuid}/${stories}`
  const what = stories.replace('_', ' ')
  return [
    {
      ...standard,
      permission: { subject: 'homepage', action: 'read' },
      caching: 'object',
      operation: 'readStories',
      id: `read${pascalCase(stories)}`,
      method: 'GET',
      path,
      summary: `Read the ${what}`,
      description:
        'What was put there, or, where `auto` is true, what is chosen now: the newest live content.',
      stories,
      reads: ['content', 'files', 'tags'],
      timed: true,
      gives: list,
    },
    {
      ...standard,
      permission: { subject: 'homepage', action: 'update' },
      body: 'object',
      operation: 'putStories',
      id: `replace${pascalCase(stories)}`,
      method: 'PUT',
      path,
      summary: `Replace the ${what}`,
      description: 'With `auto: true` the stories are chosen by themselves, and `items` are ignored.',
      stories,
      takes: list,
      gives: partWritten,
    },
  ]
})
