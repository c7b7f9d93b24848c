/** An article with a picture beside the text. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

const portrait = '5472289c-7f01-4409-b679-d9d732e1c7df'

export const testCat: Story = {
  id: '29d5b02b-7da4-4cad-89b8-788d25c64f9d',
  attributes: {
    content_type: 'article',
    title: 'The Most Measured Cat',
    kicker: 'Portrait',
    urlname: 'the-most-measured-cat',
    description:
      'Chelsea has been blurred, sharpened, rotated and counted more often than any other cat. She looks past it all.',
    content: `<p>Whoever teaches a computer to see needs something to show it. For a good many people that
something is Chelsea: 451 pixels wide, 300 high, photographed by Stefan van der Walt and given to
everybody. She comes with a library for image processing, as a paper bag comes with the bread.</p>
<slot id="${portrait}"/>
<p>She is good at it. A test picture has to be difficult in several ways at once, and a cat is:</p>
<ul>
<li><strong>Whiskers</strong> are thin, bright and curved, and the first thing that a careless filter
rubs out.</li>
<li><strong>Fur</strong> is detail all the way down. Make the picture smaller and it should still be fur,
not gravel.</li>
<li><strong>The background</strong> is soft, because the lens left it so. A program that sharpens it has
not understood the picture.</li>
<li><strong>The eyes</strong> are where everybody looks. If they come out wrong, no average over all other
pixels will save the result.</li>
</ul>
<p>So she has been made grey and coloured again, covered with noise and cleaned of it, cut into regions,
warped into a swirl and set straight. Thousands of people who never met her could draw the dark line at
the corner of her left eye from memory.</p>
<blockquote><p>The cat is not asked whether it likes the result. It is the one in the experiment that
has seen enough.</p></blockquote>`,
    state: 'published',
    created: '2025-10-12T11:05:00',
    modified: '2025-10-20T06:00:00',
    issued: '2025-10-20T06:00:00',
    section_uuid: sections.culture.id,
    evergreen: true,
    teaser_image_uuid: photographs.cat.id,
    header_image_uuid: photographs.cat.id,
  },
  slots: [
    {
      id: portrait,
      settings: { relevance: 'aside' },
      media: [
        {
          type: 'file',
          title: 'Chelsea',
          content: `<p>Whiskers, fur, a soft background, two eyes.</p>
<p><small>Photograph: Stefan van der Walt, CC0</small></p>`,
          image_uuid: photographs.cat.id,
        },
      ],
    },
  ],
}
