/** UUIDs of objects of the sample publication, which examples refer to. They never change. */
export const sampleObjects = {
  section: '30132a78-6b96-4161-aabc-e1d53ae661f8',
  story: '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
  slotOfStory: 'd939cb21-058f-4b2d-b679-5f052676aaae',
  event: '7d1f6a20-3c58-4be1-8f0a-5b9c2e4d7a16',
  image: '8b8c89c5-70b6-4d7c-b925-5dba3d2c2f9e',
  location: '5e8a4e1c-93f5-4d0f-8f9f-3a1f6f0a9c21',
  listing: 'b2a0c9d4-6f1e-4a57-9c1b-7d3e5a4f8e02',
  tag: '6b1f7c11-2a3d-4c5e-8f60-718293a4b504',
  locationType: '6b1f7c11-2a3d-4c5e-8f60-718293a4b501',
} as const
