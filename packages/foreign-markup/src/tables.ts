/** The parts of tables. */
import { tight, type ContentConverter, type Context } from './context.js'
import { isCell } from './elements.js'
import { isElement, type HtmlNode } from './html-tree.js'
import { formatWithStyle } from './inline-runs.js'
import { element, isMarkupElement, isShown, type MarkupNode } from './markup-tree.js'

/** The parts of a table with all rows in groups, as browsers have them. */
const withRowsInGroups = (parts: readonly MarkupNode[]): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  let rows: MarkupNode[] = []
  const endGroup = (): void => {
    if (rows.length > 0) found.push(element('tbody', [], rows))
    rows = []
  }
  for (const part of parts)
    if (isMarkupElement(part) && part.name === 'tr') rows.push(part)
    else {
      endGroup()
      found.push(part)
    }
  endGroup()
  return found
}

/** The parts of a table. An empty cell remains. What is between parts is a cell too. */
export const tablePartsOf = (
  converter: ContentConverter,
  nodes: readonly HtmlNode[],
  within: string,
  context: Context,
): readonly MarkupNode[] => {
  const found: MarkupNode[] = []
  let cells: MarkupNode[] = []
  let loose: HtmlNode[] = []
  const endLoose = (): void => {
    const content = tight(converter.blocksOf(loose, context))
    if (content.some(isShown)) cells.push(element('td', [], content))
    loose = []
  }
  const endRow = (): void => {
    endLoose()
    if (cells.length > 0) found.push(...(within === 'tr' ? cells : [element('tr', [], cells)]))
    cells = []
  }
  for (const node of nodes) {
    if (!isElement(node)) {
      loose.push(node)
      continue
    }
    const { name, children } = node
    const isRow = name === 'tr' && within !== 'tr'
    const isGroup = within === 'table' && ['thead', 'tbody', 'tfoot'].includes(name)
    const format = formatWithStyle(node, context.format)
    if (isCell(node)) {
      endLoose()
      cells.push(
        element(
          name,
          converter.elements.attributesOf(node, name),
          tight(converter.blocksOf(children, { ...context, format })),
        ),
      )
    } else if (isRow || isGroup) {
      endRow()
      found.push(
        element(
          name,
          converter.elements.attributesOf(node, name),
          tablePartsOf(converter, children, name, { ...context, format }),
        ),
      )
    } else if (within === 'table' && name === 'caption') {
      endRow()
      found.push(
        element(name, converter.elements.attributesOf(node, name), converter.linesOf(children, context)),
      )
    } else loose.push(node)
  }
  endRow()
  return within === 'table' ? withRowsInGroups(found) : found
}
