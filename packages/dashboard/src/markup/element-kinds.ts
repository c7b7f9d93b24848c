import type { MarkupSchema } from '@publishing-service/domain/markup'

/** What an element is and what it contains, as far as the editor distinguishes it. */
export type ElementModel = {
  readonly name: string
  readonly category: 'block' | 'inline' | 'part'
  readonly content: 'empty' | 'inline' | 'blocks'
  /** The elements that it contains, if they are not all blocks: `li`, or `figcaption` in addition to blocks. */
  readonly parts: readonly string[]
  /** Whether it contains blocks of any kind. */
  readonly containsBlocks: boolean
  /** The names of its own attributes. */
  readonly attributes: readonly string[]
}

/** The elements of a markup schema as data for the editor. */
export const elementModels = ({ elements }: MarkupSchema): readonly ElementModel[] => {
  const categoryOf = new Map(elements.map(({ name, category }) => [name, category]))
  return elements.map(({ name, category, content, attributes }) => {
    const containsBlocks = content.kind === 'mixed' && content.elements.includes('p')
    return {
      name,
      category,
      content:
        content.kind === 'empty'
          ? 'empty'
          : content.kind === 'mixed' && !containsBlocks
            ? 'inline'
            : 'blocks',
      parts: content.elements.filter((each) => categoryOf.get(each) === 'part'),
      containsBlocks,
      attributes: attributes.map((rule) => rule.name),
    }
  })
}

export type ElementKinds = {
  readonly of: (name: string) => ElementModel['category']
  readonly contentOf: (name: string) => ElementModel['content']
}

/** Unknown elements are treated as inline elements. */
export const elementKinds = (models: readonly ElementModel[]): ElementKinds => {
  const byName = new Map(models.map((model) => [model.name, model]))
  return {
    of: (name) => byName.get(name)?.category ?? 'inline',
    contentOf: (name) => byName.get(name)?.content ?? 'inline',
  }
}
