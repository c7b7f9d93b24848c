/** A review of a book. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

export const fromTheEarthToTheMoon: Story = {
  id: 'f998576a-fa30-4619-8580-fd11a8448510',
  attributes: {
    content_type: 'review_book',
    title: 'Nine Hundred Feet of Cannon',
    sub_title: 'Jules Verne, From the Earth to the Moon',
    urlname: 'from-the-earth-to-the-moon',
    description:
      'A novel of 1865 about engineers who have run out of war. The arithmetic is still a pleasure.',
    content: `<p>The war is over and the members of the Gun Club of Baltimore are bored. Between them they
have, as Verne counts, not quite one arm for four persons and exactly two legs for six; what they have
lost is somebody to shoot at. Their president proposes the Moon.</p>
<p>What follows is a novel about a project. There are committee meetings on the metal, the powder and the
length of the barrel (nine hundred feet), there is a subscription in every currency of the world, and
there is a quarrel between Texas and Florida over the site, which Florida wins. A hundred years later the
real rockets rose two hours’ drive to the east of Verne’s hole in the ground, for the same reason: it is
about as near to the equator as the country gets.</p>
<p>He is wrong about one thing, and it matters. To leave the Earth from a barrel of that length his three
passengers would weigh, for a twentieth of a second, more than twenty thousand times what they weigh at
home. Verne gives them a cushion of water. He must have known; he had the numbers checked. But a man who
has just filled a hole with guncotton and sold tickets to it does not stop for the anatomy.</p>
<p>And then, with the shot still ringing, the book ends. Nobody lands. The last pages look up at a
projectile that has missed, and wait. <cite>Round the Moon</cite> came out a few years later, and if you
have a heart you will have it at hand.</p>`,
    state: 'published',
    created: '2025-09-22T20:15:00',
    modified: '2025-10-06T06:00:00',
    issued: '2025-10-06T06:00:00',
    section_uuid: sections.culture.id,
    teaser_image_uuid: photographs.rocket.id,
    rating: '4.5',
    book_title: 'From the Earth to the Moon',
    book_issued: '1865-10-25',
    book_provider_urls: ['https://www.gutenberg.org/ebooks/83'],
  },
  slots: [],
}
