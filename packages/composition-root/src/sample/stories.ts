/** The sample's stories, those that others name before the ones that name them. */
import type { Story } from './story.js'
import { aTripToTheMoon } from './stories/a-trip-to-the-moon.js'
import { affogato } from './stories/affogato.js'
import { firstFriday } from './stories/first-friday.js'
import { fromTheEarthToTheMoon } from './stories/from-the-earth-to-the-moon.js'
import { goldenRecord } from './stories/golden-record.js'
import { testCat } from './stories/test-cat.js'
import { thirdAttempt } from './stories/third-attempt.js'
import { threePhotographs } from './stories/three-photographs.js'
import { whereToBegin } from './stories/where-to-begin.js'

export const stories: readonly Story[] = [
  firstFriday,
  affogato,
  aTripToTheMoon,
  fromTheEarthToTheMoon,
  testCat,
  thirdAttempt,
  goldenRecord,
  threePhotographs,
  whereToBegin,
]
