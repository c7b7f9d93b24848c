/** An event that comes again each month. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

export const firstFriday: Story = {
  id: 'c662fa3a-4d91-402a-8642-902be1ac85fe',
  attributes: {
    content_type: 'event',
    title: 'First Friday in the Dark',
    sub_title: 'An evening with telescopes, on the first Friday of each month',
    urlname: 'first-friday-in-the-dark',
    description:
      'Bring something warm and something to lie on. Telescopes, and people who like to be asked, are there.',
    content: `<p>We meet when it gets dark and we switch off everything. After ten minutes you see stars,
after twenty you see the Milky Way, after thirty you see the person beside you.</p>
<p>There are three telescopes. The big one shows whatever is best that night, the middle one belongs to
the queue, and the small one is there to be moved by hand, by you, to wherever you like. If there are
clouds we read to each other from <a href="/culture/from-the-earth-to-the-moon/">Verne</a>.</p>
<ul>
<li>Red lamps only, please. A telephone at half brightness ends the night for ten people.</li>
<li>Children decide first.</li>
<li>There is coffee.</li>
</ul>`,
    state: 'published',
    created: '2025-08-18T10:00:00',
    modified: '2025-08-25T06:00:00',
    issued: '2025-08-25T06:00:00',
    section_uuid: sections.space.id,
    teaser_image_uuid: photographs.deepField.id,
    dtstart: '2025-09-05T20:30:00',
    dtend: '2025-09-05T23:30:00',
    rrule: { freq: 'MONTHLY', byday: ['1FR'] },
    location_alt: 'The meadow behind the old observatory',
    prices: 'Free. The coffee costs a story.',
    email: 'stars@example.org',
    website: 'https://www.example.org/first-friday',
  },
  slots: [],
}
