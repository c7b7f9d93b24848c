/** Which story leads which section of the sample. */
import { sections } from './sections.js'
import { affogato } from './stories/affogato.js'
import { testCat } from './stories/test-cat.js'
import { thirdAttempt } from './stories/third-attempt.js'
import { threePhotographs } from './stories/three-photographs.js'

/** The UUID of the lead story, by the section’s UUID. */
export const leadStories: ReadonlyMap<string, string> = new Map<string, string>([
  [sections.space.id, threePhotographs.id],
  [sections.spaceflight.id, thirdAttempt.id],
  [sections.foodAndDrink.id, affogato.id],
  [sections.culture.id, testCat.id],
])
