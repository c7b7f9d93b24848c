import { storyLists } from '@publishing-service/domain'
import type { Endpoint } from '../endpoint.js'
import { standard } from './standard.js'

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
      method: 'GET',
      path,
      summary: `Read the ${what}`,
      stories,
      reads: ['content', 'files', 'tags'],
      timed: true,
    },
    {
      ...standard,
      permission: { subject: 'homepage', action: 'update' },
      body: 'object',
      operation: 'putStories',
      method: 'PUT',
      path,
      summary: `Replace the ${what}`,
      stories,
    },
  ]
})
