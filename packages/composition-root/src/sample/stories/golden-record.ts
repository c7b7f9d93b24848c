/** A review of an album that isn’t finished: a draft, which nobody but the editors sees. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

export const goldenRecord: Story = {
  id: '20699153-4778-4f9d-8b57-9dd7c4aaf633',
  attributes: {
    content_type: 'review_album',
    title: 'Out of Print, Out of Reach',
    sub_title: 'The Voyager Golden Record',
    urlname: 'the-voyager-golden-record',
    description: 'Two copies, both sold out, both moving away at some sixteen kilometres a second.',
    content: `<p>It opens with a greeting by the Secretary-General of the United Nations and greetings in
fifty-five languages, some of which nobody has spoken for two thousand years. Then a planet tunes up: surf,
frogs, a kiss, a tractor. Then ninety minutes of music.</p>
<p>The order is a listener’s order. Bach comes three times and never twice in a row. Chuck Berry comes
right after a mariachi. Blind Willie Johnson, who has no words for what he means and hums it, is the last but
one: <cite>Dark Was the Night, Cold Was the Ground</cite>.</p>`,
    state: 'draft',
    created: '2025-11-15T22:47:00',
    modified: '2025-11-15T22:47:00',
    section_uuid: sections.culture.id,
    teaser_image_uuid: photographs.deepField.id,
    album_title: 'The Sounds of Earth',
    album_issued: '1977-08-20',
  },
  slots: [],
}
