/** An article with a gallery: the one that a newcomer reads first. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

const gallery = 'd939cb21-058f-4b2d-b679-5f052676aaae'

export const threePhotographs: Story = {
  id: '9e1cb12d-9d6a-4a93-8a49-12ef6faefa68',
  attributes: {
    content_type: 'article',
    title: 'Three Photographs of Far Away',
    sub_title: 'A rocket, a commander and a patch of sky',
    kicker: 'Looking closely',
    urlname: 'three-photographs-of-far-away',
    description:
      'One was taken from across a launch pad, one from across a studio, one from across the universe. What each of them shows when you stay with it.',
    content: `<p>A photograph says how far away its photographer stood. Three of them, put side by side, can
measure the world: the first was taken from a few hundred metres, the second from two, and the third
from more than thirteen billion light years, which nobody stands back from on purpose.</p>
<slot id="${gallery}"/>
<h4>From across a launch pad</h4>
<p>The rocket is the smallest thing in its own portrait. Four towers stand round it, taller than it is,
and their only task is to be struck by lightning in its place. The lamps have grown spikes: the shutter
stayed open so long, and the aperture was so small, that its blades drew a star round every light. A
photographer who wants spikes like these waits for dusk, when there is just enough sky left to hold the
outline of steel.</p>
<h4>From across a studio</h4>
<p>Eileen Collins smiles at somebody beside the camera. The round patch on her chest holds five names –
Collins, Ashby, Coleman, Hawley, Tognini – and hers comes first, because she commanded them: in July
1999 she was the first woman to command a space shuttle. They took the Chandra telescope up with them.
The model behind her shoulder is the shuttle that she would bring home without an engine, as all of them
came home: as the heaviest glider in the world, with one attempt.</p>
<h4>From across the universe</h4>
<p>Find the two lights that have spikes here. As with the lamps round the rocket, the instrument drew
them, this time the struts that hold Hubble’s small mirror. They are stars of our own galaxy that
happened to stand in the way. <strong>Everything else is a galaxy</strong>, some five and a half
thousand of them, in a patch of sky that you could cover with a grain of sand held at arm’s length. The
exposure took two million seconds, gathered over ten years.</p>
<p>The rocket will have left within days, the smile within a second. The light in the third picture had
been under way since before there was a Sun. All three of them were in time.</p>`,
    state: 'published',
    created: '2025-11-08T09:12:00',
    modified: '2025-11-14T07:30:00',
    issued: '2025-11-14T07:30:00',
    section_uuid: sections.space.id,
    evergreen: true,
    teaser_image_uuid: photographs.rocket.id,
    header_image_uuid: photographs.deepField.id,
    meta_description: 'Three photographs and the distances that they were taken from.',
  },
  slots: [
    {
      id: gallery,
      settings: { relevance: 'inline', display: 'gallery' },
      media: [
        {
          type: 'file',
          title: 'A few hundred metres',
          content: `<p>A Falcon 9 with the DSCOVR observatory, at dusk on its pad at Cape Canaveral.</p>
<p><small>Photograph: SpaceX, public domain</small></p>`,
          image_uuid: photographs.rocket.id,
        },
        {
          type: 'file',
          title: 'Two metres',
          content: `<p>Eileen Collins, pilot of two shuttle missions and commander of two more.</p>
<p><small>Photograph: NASA, no known restrictions</small></p>`,
          image_uuid: photographs.commander.id,
        },
        {
          type: 'file',
          title: 'Thirteen billion light years',
          content: `<p>The Hubble eXtreme Deep Field, in the constellation Fornax.</p>
<p><small>Photograph: NASA, public domain</small></p>`,
          image_uuid: photographs.deepField.id,
        },
      ],
    },
  ],
}
