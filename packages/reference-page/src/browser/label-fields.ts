/** Labels the fields that the renderer draws without one, and makes scrollable blocks focusable. */

type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement

const labelOf = (field: Field): string => {
  const parameter = field.closest<HTMLElement>('[data-property-name], [data-param-name]')?.dataset
  const name = parameter?.['propertyName'] ?? parameter?.['paramName']
  if (name !== undefined) return name
  if (field.matches('.examples-select-element')) return 'Example'
  return field.closest('.opblock-section-request-body') === null ? 'Media type' : 'Request body'
}

const label = (root: Element): void => {
  for (const field of root.querySelectorAll<Field>(':is(input, select, textarea):not([aria-label])'))
    if (field.closest('.opblock') !== null && field.labels?.length === 0)
      field.setAttribute('aria-label', labelOf(field))
  for (const block of root.querySelectorAll<HTMLElement>('.microlight')) block.tabIndex = 0
}

/** Labels the existing fields, and new ones when they are added. */
export const labelFields = (root: Element): void => {
  label(root)
  new MutationObserver(() => label(root)).observe(root, { childList: true, subtree: true })
}
