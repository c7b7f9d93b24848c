/** The results of the imaging rows as a table. */
import { reachesImaging, type ImagingFigure, type ImagingRow } from './measure-imaging.js'
import { aligned, verdict } from './text-table.js'

const figureText = ({ unit, figure }: ImagingFigure): string => {
  const digits = unit === 'ms' || unit === 'images/s' ? 1 : 2
  const { least, median, most } = figure
  const text = (least === most ? [median] : [least, median, most]).map((value) => value.toFixed(digits))
  return `${text.join(' – ')} ${unit}`.trim()
}

const targetText = (figure: ImagingFigure): string => {
  const { target } = figure
  if (target === null) return ''
  const words = 'least' in target ? `at least ${target.least}` : `at most ${target.most}`
  return `${words} ${verdict(reachesImaging(figure))}`
}

export const imagingReport = (rows: readonly ImagingRow[]): string =>
  aligned(
    [
      ['scaling', 'least – median – most', 'target'],
      ...rows.flatMap(({ figures }) =>
        figures.map((figure) => [figure.title, figureText(figure), targetText(figure)]),
      ),
    ],
    [0, 1, 2],
  )
