/** A roundup of content, at the top of the publication rather than in a section. */
import { photographs } from '../photographs.js'
import type { Story } from '../story.js'
import { aTripToTheMoon } from './a-trip-to-the-moon.js'
import { affogato } from './affogato.js'
import { fromTheEarthToTheMoon } from './from-the-earth-to-the-moon.js'
import { testCat } from './test-cat.js'
import { thirdAttempt } from './third-attempt.js'
import { threePhotographs } from './three-photographs.js'

export const whereToBegin: Story = {
  id: '506017c3-d4a5-4e2e-bcbf-5ada547c1be4',
  attributes: {
    content_type: 'roundup_content',
    title: 'Where to Begin',
    urlname: 'where-to-begin',
    description: 'Six stories, in the order in which we would hand them to a guest.',
    content: '<p>You have an evening. This is how we would spend it.</p>',
    state: 'published',
    created: '2025-11-14T08:00:00',
    modified: '2025-11-14T08:30:00',
    issued: '2025-11-14T08:30:00',
    teaser_image_uuid: photographs.espresso.id,
    roundup_numbering: 'asc',
    roundup_content_targets: [
      { target_uuid: threePhotographs.id, content: '<p>To get your eyes used to the dark.</p>' },
      { target_uuid: thirdAttempt.id, content: '<p>Patience, with a sunset at the end of it.</p>' },
      {
        target_uuid: fromTheEarthToTheMoon.id,
        title: 'Verne, with arithmetic',
        content: '<p>For the hour between the second coffee and the last.</p>',
      },
      {
        target_uuid: aTripToTheMoon.id,
        content: '<p>It takes fourteen minutes. There is always time for it.</p>',
      },
      {
        target_uuid: affogato.id,
        title: 'An intermission',
        content: '<p>Takes one minute, if you are slow.</p>',
      },
      { target_uuid: testCat.id, content: '<p>And somebody who has been waiting for you to finish.</p>' },
    ],
  },
  slots: [],
}
