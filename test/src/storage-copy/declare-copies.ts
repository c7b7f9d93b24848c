/** The admin command copies a publication to other stores and back. Services run on all of them. */
import { expect } from 'chai'
import { after, before, describe, it } from 'mocha'
import { makeDataFolder, type DataFolder } from '../durability/data-folder.js'
import { fresh } from '../harness/on-every-store.js'
import type { Ending } from '../start-up/program.js'
import { apiOn, everyQuestion, everythingServed, type Questions } from './everything-served.js'
import { copy, fill, makePlace, serviceOn, type Kinds, type Place, type Readers } from './places.js'
import { storesHeld, type Held } from './stores-held.js'

type Served = {
  readonly questions: Readonly<Record<1 | 2, Questions>>
  /** By reader, then by path. */
  readonly answers: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** All GET responses of a service: for an admin, and those of single objects for a visitor. */
const served = async (
  place: Place,
  readers: Readonly<Record<1 | 2, Readers>>,
  known?: Served['questions'],
): Promise<Served> => {
  const service = await serviceOn(place)
  try {
    const { url } = service
    const questions = known ?? {
      1: await everyQuestion(apiOn(url, 1, readers[1].admin)),
      2: await everyQuestion(apiOn(url, 2, readers[2].admin)),
    }
    const answers: Record<string, Readonly<Record<string, string>>> = {}
    for (const instance of [1, 2] as const) {
      const { admin, visitor } = readers[instance]
      const all = [...questions[instance].values()].flat()
      const objects = all.filter((path) => /^\/[^/?]+\/[^/?]+$/.test(path))
      answers[`${instance}, admin`] = await everythingServed(apiOn(url, instance, admin), all)
      answers[`${instance}, public_user`] = await everythingServed(apiOn(url, instance, visitor), objects)
      answers[`${instance}, nobody`] = await everythingServed(
        apiOn(url, instance, null),
        objects.slice(0, 20),
      )
    }
    expect(service.errorsLogged().filter(({ event }) => event === 'defect')).to.deep.equal([])
    return { answers, questions }
  } finally {
    await service.stop()
  }
}

const answerOf = ({ code, out, error }: Ending): Readonly<Record<string, unknown>> => {
  expect(code, error).to.equal(0)
  return JSON.parse(out) as Readonly<Record<string, unknown>>
}

/** Copies between two kinds of stores and back to the first. */
export const declareCopies = (first: Kinds, second: Kinds, objects: number): void => {
  const nameOf = ({ STORE, BLOBS }: Kinds): string => `${STORE} × ${BLOBS}`
  describe(`storage copy, ${nameOf(first)} → ${nameOf(second)} and back`, function () {
    this.timeout(900_000)
    let folder: DataFolder
    let original: Place
    let there: Place
    let back: Place
    let readers: Awaited<ReturnType<typeof fill>>
    let asked: Awaited<ReturnType<typeof served>>
    let held: Held
    before(async () => {
      folder = await makeDataFolder()
      original = await makePlace(folder, 'original', first)
      there = await makePlace(folder, 'there', second)
      back = await makePlace(folder, 'back', first)
      readers = await fill(original, objects)
      asked = await served(original, readers)
      held = await storesHeld(original.environment, 2)
    })
    after(() => folder.remove())

    const expectSame = async (place: Place): Promise<void> => {
      const { answers } = await served(place, readers, asked.questions)
      for (const [reader, expected] of Object.entries(asked.answers)) {
        expect(Object.keys(expected)).to.have.length.above(10)
        for (const [path, answer] of Object.entries(expected))
          expect(answers[reader]?.[path], `${path} as ${reader}`).to.equal(answer)
      }
    }

    it('requests every endpoint for every object', () => {
      const { questions, answers } = asked
      const isAnswered = (endpoint: string): boolean =>
        ([1, 2] as const).some((instance) =>
          (questions[instance].get(endpoint) ?? []).some((path) =>
            answers[`${instance}, admin`]?.[path]?.startsWith('200'),
          ),
        )
      expect([...questions[1].keys()].filter((endpoint) => !isAnswered(endpoint))).to.deep.equal([])
      expect(Object.keys(answers['2, admin'] ?? {}).length).to.be.above(5 * objects)
    })

    it('copies and compares everything', async () => {
      const { documents, blobs, instances } = answerOf(await copy(original, there))
      const count = Object.values(held.documents).reduce((sum, { length }) => sum + length, 0)
      expect({ documents, blobs, instances }).to.deep.equal({
        documents: count,
        blobs: Object.keys(held.blobs).length,
        instances: 2,
      })
      expect(count).to.be.above(objects)
      expect(await storesHeld(there.environment, 2)).to.deep.equal(held)
    })

    it('copies back to identical contents', async () => {
      answerOf(await copy(there, back))
      expect(await storesHeld(back.environment, 2)).to.deep.equal(held)
    })

    it('a service on the copy returns identical responses to every GET', () => expectSame(there))

    it('a service on the copy of the copy does too', () => expectSame(back))

    it('a service on the copy accepts the same writes', async () => {
      const outcomes: unknown[] = []
      for (const place of [original, there]) {
        const service = await serviceOn(place)
        const api = apiOn(service.url, 2, readers[2].admin)
        const id = 'a7d3b0d4-3c0c-4f57-9d2b-1f2f0e9f3a11'
        const article = { content_type: 'article', title: 'Late', urlname: 'late' }
        outcomes.push([
          (await api.put(`/content/${id}`, article)).text,
          (await api.put('/content/b7d3b0d4-3c0c-4f57-9d2b-1f2f0e9f3a12', article)).text,
          (await api.get('/content?order=title.asc&rpp=100&fields=uuid-title', fresh)).text,
          (await api.get('/content?rpp=100&fields=uuid', fresh)).text,
        ])
        await service.stop()
      }
      expect(outcomes[1]).to.deep.equal(outcomes[0])
      expect(JSON.stringify(outcomes[0])).to.include('urlname not unique')
    })
  })
}
