import { stored } from '../../resource/attribute.js'
import { image } from '../../resource/image-attributes.js'
import { textsOf } from '../../value/record.js'
import { duration } from '../../value/scalar.js'
import { text } from '../../value/text.js'

const only = ['recipe'] as const

/** Attributes of a recipe (docs/behaviour/content.md#recipes). */
export const recipeAttributes = {
  recipe_prep_time: stored(duration, 'Time to prepare.', { only }),
  recipe_cook_time: stored(duration, 'Time to cook.', { only }),
  recipe_yield: stored(text({ max: 255 }), 'Amount, such as `4 servings`.', { only }),
  recipe_ingredients: stored(
    textsOf(text({ max: 1000, min: 1 }), 500, 'lines'),
    'Ingredients, one for each item.',
    {
      only,
      initial: [],
    },
  ),
  ...image('recipe_image', 'Picture of the dish', { only }),
} as const
