/** What stands on the sample's homepage. */
import { firstHomepage, type JsonObject, type StoryList } from '@publishing-service/domain'
import { photographs } from './photographs.js'
import { threePhotographs } from './stories/three-photographs.js'
import { whereToBegin } from './stories/where-to-begin.js'

/** The lists of stories, with what a PUT of each sends. */
export const stories: Readonly<Record<StoryList, JsonObject>> = {
  headline_stories: {
    auto: false,
    items: [
      { type: 'content', link_uuid: threePhotographs.id },
      {
        type: 'content',
        link_uuid: whereToBegin.id,
        title: 'Begin here',
        image_uuid: photographs.commander.id,
      },
    ],
  },
  featured_stories: { auto: true, auto_max: 4 },
}

export const homepageId = firstHomepage.id
