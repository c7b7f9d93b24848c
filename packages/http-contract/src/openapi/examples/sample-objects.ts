/**
 * Objects of the sample publication, which examples refer to, so that each example succeeds on a new service. Their
 * UUIDs never change (packages/sample).
 */

/** An example of a UUID, for objects that the sample does not have. */
export const exampleUuid = '9f1c6a52-7c0b-4d55-8f3e-2b7b3f0f8e11'

export const story = '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68'
export const event = '7d1f6a20-3c58-4be1-8f0a-5b9c2e4d7a16'
export const slotOfStory = 'd939cb21-058f-4b2d-b679-5f052676aaae'
export const section = '30132a78-6b96-4161-aabc-e1d53ae661f8'
export const image = '8b8c89c5-70b6-4d7c-b925-5dba3d2c2f9e'
export const location = '5e8a4e1c-93f5-4d0f-8f9f-3a1f6f0a9c21'
const listing = 'b2a0c9d4-6f1e-4a57-9c1b-7d3e5a4f8e02'
export const venues = [location, listing] as const
export const tag = '6b1f7c11-2a3d-4c5e-8f60-718293a4b504'
export const locationType = '6b1f7c11-2a3d-4c5e-8f60-718293a4b501'

/** An object of each collection, by the segments of its path below that of the instance. */
export const sampleObjects: Readonly<Record<string, string>> = {
  sections: section,
  content: story,
  locations: listing,
  files: image,
  tags: tag,
  'tags/categories': '10ca7100-7e57-4a95-8c0d-000000000001',
  comments: '4a1f0c52-8d3e-4b76-9f20-6e5d7c8b9a01',
  redirects: '7b0c4d1e-52a8-4c39-9f6e-0d3a81c5e2f7',
  homepage: '40eba6e0-0000-4000-8000-000000000000',
  blogs: '3b5e8d07-41c9-4a62-9f18-d0c7b6a25e94',
}

/** An object of a collection that can be deleted, where the one above cannot because others refer to it. */
export const deletableObjects: Readonly<Record<string, string>> = {
  sections: 'f1d20c6e-92b7-4f0a-8c35-6a7e4d1b9083',
  locations: 'd7c4f1a8-0b3d-4e62-8a55-1c9e2b7d6f03',
  homepage: 'mon',
}
