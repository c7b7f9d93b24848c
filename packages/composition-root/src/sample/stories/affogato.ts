/** A recipe. */
import { photographs } from '../photographs.js'
import { sections } from '../sections.js'
import type { Story } from '../story.js'

export const affogato: Story = {
  id: '1bf9d4bb-9deb-4630-a20f-ed13cd6cad04',
  attributes: {
    content_type: 'recipe',
    title: 'Affogato, or: Be Quick',
    sub_title: 'The only dessert that is finished before it is ready',
    urlname: 'affogato',
    description: 'Two ingredients, one minute. Everything about it is temperature.',
    content: `<p>At the counter of an espresso bar you learn what a minute is. It is how long the foam on a
short coffee keeps its colour, and how long a scoop of ice cream takes to notice that it has been drowned.
<em>Affogato</em> means just that. The whole art is to make both minutes the same one.</p>
<ol>
<li>Put the glasses into the freezer. An hour is good, a night is better.</li>
<li>One scoop of vanilla ice cream into each glass, as round as you can, and back into the freezer.</li>
<li>Grind finer than for breakfast and press it down evenly. The coffee should run for twenty-five to
thirty seconds; what comes out is as thick as warm honey, and about as much of it.</li>
<li>Take the glasses to the table. Take the coffee to the table. Pour it there, over the side of the
scoop and not the top, so that an island stays.</li>
<li>Eat the island with a spoon. Drink the sea.</li>
</ol>
<p>Salt is not in the recipe. A few grains on the ice cream before the coffee comes will do what the
third spoon of sugar was meant to.</p>`,
    state: 'published',
    created: '2025-09-10T15:30:00',
    modified: '2025-09-15T06:00:00',
    issued: '2025-09-15T06:00:00',
    section_uuid: sections.foodAndDrink.id,
    evergreen: true,
    teaser_image_uuid: photographs.espresso.id,
    header_image_uuid: photographs.espresso.id,
    recipe_prep_time: 'PT5M',
    recipe_cook_time: 'PT30S',
    recipe_yield: '2 glasses',
    recipe_ingredients: [
      '2 scoops of vanilla ice cream, hard',
      '18 g of coffee beans, roasted for espresso',
      'a few grains of coarse salt',
    ],
    recipe_image_uuid: photographs.espresso.id,
  },
  slots: [],
}
