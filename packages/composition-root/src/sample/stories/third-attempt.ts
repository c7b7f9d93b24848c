/** An article with embedded media: a map of the place that it tells of. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

const map = '8be5cda8-54e6-4cf8-b29e-8ec675596960'

export const thirdAttempt: Story = {
  id: '749b51c6-cad8-4790-9c79-9cd577a5d999',
  attributes: {
    content_type: 'article',
    title: 'The Third Attempt, at Sunset',
    sub_title: 'How a satellite that had waited seventeen years waited three days more',
    kicker: 'Cape Canaveral',
    urlname: 'the-third-attempt-at-sunset',
    description:
      'A radar, the wind and a storm at sea all had a say before the DSCOVR observatory left for a place where the Earth is always full.',
    content: `<p>The satellite in this story was first drawn in 1998. It was to hang between the Earth and
the Sun, look back, and send home one picture after another of a planet in full daylight. Then nobody
wanted it. It was put in a box, and the box stood in a clean room for most of a decade.</p>
<p>When it came out again it had a second task, and that one got it a rocket: to feel the wind of the Sun
before it reaches us. A storm on the Sun can put out the lights of a province. Whoever stands a million
and a half kilometres further up the wind can call out a warning, a quarter of an hour to an hour ahead.</p>
<h4>Sunday: a radar</h4>
<p>On 8 February 2015 the rocket was ready and the sky was clear. The radar that follows a rocket on its
way was not. The countdown stopped two and a half minutes before its end.</p>
<h4>Tuesday: the wind</h4>
<p>On the ground it was a fine evening. Ten kilometres up, the wind changed its mind from one layer to
the next, and a rocket that flies through such a place is struck as with a hammer. The countdown stopped
again.</p>
<h4>Wednesday: the sunset</h4>
<p>At three minutes past six it went, into a sky that was orange below and dark blue above. The booster
was to land on a ship that afternoon. The ship had been sent home: the waves were three storeys high. So
the booster did all that it had been taught, came down to the sea, stood upright on its flame within
ten metres of the place that had been agreed on with nobody there, and sank.</p>
<slot id="${map}"/>
<p>Four months later the observatory reached its post. Every hour or two its camera looked back, and the
pictures are what had been promised in 1998: the Earth, <em>full</em>, turning.</p>`,
    state: 'published',
    created: '2025-10-27T16:40:00',
    modified: '2025-11-03T18:03:00',
    issued: '2025-11-03T18:03:00',
    section_uuid: sections.spaceflight.id,
    teaser_image_uuid: photographs.rocket.id,
    header_image_uuid: photographs.rocket.id,
  },
  slots: [
    {
      id: map,
      settings: { relevance: 'inline' },
      media: [
        {
          type: 'embed',
          title: 'Space Launch Complex 40',
          content: '<p>Where it stood: Space Launch Complex 40, Cape Canaveral.</p>',
          embed_code:
            '<iframe width="600" height="400" title="Map of Space Launch Complex 40" src="https://www.openstreetmap.org/export/embed.html?bbox=-80.62%2C28.54%2C-80.53%2C28.59&amp;layer=mapnik&amp;marker=28.5619%2C-80.5772"></iframe>',
          thumb_uuid: photographs.rocket.id,
        },
      ],
    },
  ],
}
