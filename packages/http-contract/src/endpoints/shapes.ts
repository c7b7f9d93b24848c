import { tagging } from '@publishing-service/domain'
import {
  contentInfo,
  visitorComment,
  mediaWith,
  relatedLink,
  slot,
  story,
  storyList,
} from '@publishing-service/domain/content'
import { listingImages } from '@publishing-service/domain/locations'
import { earlierPath } from '@publishing-service/domain/paths'
import { categoryTags, objectTag } from '@publishing-service/domain/tags'
import { settingsAttributes } from '@publishing-service/domain/roles'
import type { DeploymentFacts } from '../deployment-facts.js'
import type { NamedShape } from '../payload.js'

/** Names and descriptions of the shapes that are not resources. */
export const slotShape: NamedShape = {
  name: 'Slot',
  description: 'A place for media in the body of a content object.',
  shape: slot,
}

export const visitorCommentShape: NamedShape = {
  name: 'VisitorComment',
  description: 'What a visitor of the website says about content.',
  shape: visitorComment,
}

export const contentInfoShape: NamedShape = {
  name: 'ContentInfo',
  description: 'Additional information about a content object.',
  shape: contentInfo,
}

export const mediumShapeOn = ({ streamingHosts }: Pick<DeploymentFacts, 'streamingHosts'>): NamedShape => ({
  name: 'Medium',
  description: 'An item of a slot, of one of three types.',
  shape: mediaWith(streamingHosts),
})

export const taggingShape: NamedShape = {
  name: 'Tagging',
  description: 'A tag attached to an object by a predicate.',
  shape: tagging,
}

export const objectTagShape: NamedShape = {
  name: 'ObjectTag',
  description: 'A tag of an object, with its predicate.',
  shape: objectTag,
}

export const storyShape: NamedShape = {
  name: 'Story',
  description: 'A story of a homepage or a section: content, or a link.',
  shape: story,
}

export const storyListShape: NamedShape = {
  name: 'StoryList',
  description: 'A list of stories of a homepage.',
  shape: storyList,
}

export const earlierPathShape: NamedShape = {
  name: 'EarlierPath',
  description: 'An earlier public path of an object.',
  shape: earlierPath,
}

export const relatedLinkShape: NamedShape = {
  name: 'RelatedLink',
  description: 'A link of a content object to an address, a content object or a location.',
  shape: relatedLink,
}

export const listingImageShape: NamedShape = {
  name: 'ListingImage',
  description: 'An image of a listing.',
  shape: listingImages.shape,
}

export const categoryTagShape: NamedShape = {
  name: 'CategoryTag',
  description: 'A tag of a category.',
  shape: categoryTags.shape,
}

export const settingsShape = {
  name: 'Settings',
  description: 'Settings of an instance.',
  shape: {
    attributes: settingsAttributes,
    examples: {
      bodies: [
        {
          title: 'Demo',
          timezone: 'Europe/Vienna',
          language: 'en',
          directory_addon: true,
          website_url: 'https://www.example.org',
        },
      ],
    },
  },
} as const satisfies NamedShape
