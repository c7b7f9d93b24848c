/** The imaging rows: compared with the libraries alone, by number of cores, and the delay of the event loop. */
import { availableParallelism } from 'node:os'
import type { Library } from './bare-scaling-process.js'
import { largePhotograph, openImagingSetup, type ImagingSetup } from './imaging-setup.js'
import { spreadOf, type Spread } from './spread.js'

export type ImagingFigure = {
  readonly title: string
  readonly unit: '' | 's' | 'ms' | 'images/s'
  readonly figure: Spread
  /** What the median has to be; null if nothing is set. */
  readonly target: { readonly least: number } | { readonly most: number } | null
}

export type ImagingRow = { readonly name: string; readonly figures: readonly ImagingFigure[] }

type Progress = (text: string) => void
type Options = { readonly rounds: number; readonly clients: number; readonly progress: Progress }

const libraries: readonly Library[] = ['jimp', 'sharp']

/** The largest requested size; each request has another one, so that each is a first download. */
const firstWidth = 800

const withSetup = async <A>(
  library: Library,
  jobs: number | null,
  photograph: Uint8Array,
  use: (setup: ImagingSetup) => Promise<A>,
): Promise<A> => {
  const setup = await openImagingSetup(library, jobs, photograph)
  try {
    return await use(setup)
  } finally {
    await setup.close()
  }
}

/** Rounds before those that count: V8 compiles what it has seen often enough, in the service as in the bare process. */
const warmingRounds = { jimp: 2, sharp: 60 } as const

type Firsts = { readonly service: readonly number[]; readonly bare: readonly number[] }

/** The bare call and the service alternately, both of them warm. */
const measureFirsts = async (
  setup: ImagingSetup,
  { rounds, progress }: Options,
  of: Library,
): Promise<Firsts> => {
  const [service, bare]: [number[], number[]] = [[], []]
  const warming = rounds > 1 ? warmingRounds[of] : 1
  for (let round = 1 - warming; round <= rounds; round += 1) {
    progress(`first scaled download with ${of}: round ${round} of ${rounds}`)
    const width = firstWidth - round
    const both = [await setup.bare(width), await setup.download(width)] as const
    if (round < 1) continue
    bare.push(both[0])
    service.push(both[1])
  }
  return { service, bare }
}

const first = async (photograph: Uint8Array, options: Options): Promise<readonly ImagingFigure[]> => {
  const figures: ImagingFigure[] = []
  const medians: number[] = []
  for (const library of libraries) {
    const { service, bare } = await withSetup(library, null, photograph, (setup) =>
      measureFirsts(setup, options, library),
    )
    const ratios = service.map((seconds, round) => seconds / (bare[round] ?? Number.NaN))
    const title = `${library}: first download of 12 megapixels, at 800 × 600`
    medians.push(spreadOf(service).median)
    figures.push(
      { title, unit: 's', figure: spreadOf(service), target: null },
      {
        title: `${library}: the bare call in a warm process`,
        unit: 's',
        figure: spreadOf(bare),
        target: null,
      },
      {
        title: `${library}: download to bare call`,
        unit: '',
        figure: spreadOf(ratios),
        target: { most: 1.1 },
      },
    )
  }
  const [jimp = Number.NaN, sharp = Number.NaN] = medians
  figures.push({
    title: 'sharp: how many times faster than jimp',
    unit: '',
    figure: spreadOf([jimp / sharp]),
    target: { least: 10 },
  })
  return figures
}

/** Images per second while so many different sizes are requested concurrently. */
const throughput = async (setup: ImagingSetup, sizes: number, from: number): Promise<number> => {
  const started = performance.now()
  await Promise.all(Array.from({ length: sizes }, (_, at) => setup.download(from - at)))
  return (sizes * 1000) / (performance.now() - started)
}

const cores = async (
  photograph: Uint8Array,
  { rounds, progress }: Options,
): Promise<readonly ImagingFigure[]> => {
  const figures: ImagingFigure[] = []
  const most = availableParallelism()
  for (const library of libraries) {
    const sizes = library === 'jimp' ? 4 : 16
    const rates: number[][] = []
    for (const jobs of [1, most])
      await withSetup(library, jobs, photograph, async (setup) => {
        await throughput(setup, most, firstWidth)
        const measured: number[] = []
        for (let round = 1; round <= rounds; round += 1) {
          progress(`throughput of ${library}, ${jobs} side by side: round ${round} of ${rounds}`)
          measured.push(await throughput(setup, sizes, firstWidth - round * sizes))
        }
        rates.push(measured)
        const title = `${library}: different sizes, ${jobs} side by side`
        figures.push({ title, unit: 'images/s', figure: spreadOf(measured), target: null })
      })
    const [one = [], all = []] = rates
    const ratios = all.map((rate, round) => rate / (one[round] ?? Number.NaN))
    figures.push({
      title: `${library}: ${most} side by side to 1`,
      unit: '',
      figure: spreadOf(ratios),
      target: most > 1 ? { least: 1.3 } : null,
    })
  }
  return figures
}

/** Sizes that each client requests, one after the other: at least a few seconds of work. */
const turns = { jimp: 1, sharp: 8 } as const

const delay = async (
  photograph: Uint8Array,
  { clients, progress }: Options,
): Promise<readonly ImagingFigure[]> => {
  const figures: ImagingFigure[] = []
  for (const library of libraries) {
    progress(`${clients} clients ask ${library} for different sizes`)
    const late = await withSetup(library, null, photograph, async (setup) => {
      await setup.download(firstWidth)
      await setup.ask({ ask: 'watch the event loop' })
      await Promise.all(
        Array.from({ length: clients }, async (_, client) => {
          for (let turn = 0; turn < turns[library]; turn += 1)
            await setup.download(firstWidth - 1 - client - turn * clients)
        }),
      )
      return setup.ask({ ask: 'how late it was' })
    })
    if (late === null) throw new Error('the event loop was not watched')
    figures.push(
      {
        title: `${library}: delay of the event loop at p99, ${clients} clients`,
        unit: 'ms',
        figure: spreadOf([late.p99]),
        target: { most: 20 },
      },
      { title: `${library}: the longest delay`, unit: 'ms', figure: spreadOf([late.most]), target: null },
    )
  }
  return figures
}

/** By name, for --only. */
export const imagingRows = {
  'imaging-first': first,
  'imaging-cores': cores,
  'imaging-delay': delay,
} as const

type ImagingName = keyof typeof imagingRows

export const imagingNames = Object.keys(imagingRows) as readonly ImagingName[]

export const reachesImaging = ({ figure: { median }, target }: ImagingFigure): boolean =>
  target === null || ('least' in target ? median >= target.least : median <= target.most)

export const measureImaging = async (
  names: readonly string[],
  options: Options,
): Promise<readonly ImagingRow[]> => {
  const photograph = await largePhotograph()
  const rows: ImagingRow[] = []
  for (const name of imagingNames)
    if (names.includes(name)) rows.push({ name, figures: await imagingRows[name](photograph, options) })
  return rows
}
