/** A review of a movie. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

export const aTripToTheMoon: Story = {
  id: '5ea477d7-5e6d-4114-9218-7fc6d7e7e795',
  attributes: {
    content_type: 'review_movie',
    title: 'Straight in the Eye',
    sub_title: 'Georges Méliès, A Trip to the Moon',
    urlname: 'a-trip-to-the-moon',
    description:
      'A quarter of an hour from 1902, and every science fiction film since owes it its first joke.',
    content: `<p>Everybody knows one picture of it: the Moon has a face, and the shell has landed in its
eye. It is worth seeing what stands on both sides of that picture. Before it, wizards in pointed hats
quarrel over a blackboard; behind it, they roll out their blankets and go to sleep, and the Great Bear
comes out to look at them, a face in every star.</p>
<p>Méliès had been a stage magician, and he filmed like one. The camera does not move; it has a ticket
for the middle of the stalls. All that moves is the world in front of it: canvas seas, trapdoors, an
umbrella that is planted and becomes a mushroom, people of the Moon who burst into smoke when they are
hit, because in one frame they are there and in the next they aren’t.</p>
<p>See it in colour if you can. Some prints were painted by hand, frame by frame, thousands of frames,
by women in a workshop in Paris. One of these prints was found in Barcelona ninety years later, in pieces
that had to be peeled apart, and the colours dance a little, because no two brush strokes are the same.</p>
<p>On the way home the shell simply falls off the edge of the Moon. It is the best explanation of gravity
that the cinema has found so far.</p>`,
    state: 'published',
    created: '2025-09-20T21:00:00',
    modified: '2025-09-29T06:00:00',
    issued: '2025-09-29T06:00:00',
    section_uuid: sections.culture.id,
    teaser_image_uuid: photographs.deepField.id,
    rating: '5',
    movie_title: 'A Trip to the Moon',
    movie_issued: '1902-09-01',
    movie_duration: 14,
  },
  slots: [],
}
