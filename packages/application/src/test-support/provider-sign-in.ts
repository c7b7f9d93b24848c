/** Sign-in with a provider of OpenID Connect on a stage, whose codes are the names of people. */
import { E } from '@publishing-service/domain/fp'
import type { UseCases } from '../use-cases.js'
import { visit } from './people.js'

type Begun = { readonly state: string; readonly secret: string }

export const begin = async (useCases: UseCases, to = '/1/content', from = visit): Promise<Begun> => {
  const begun = await useCases.signIn.provider.begin(from, to)
  if (E.isLeft(begun)) throw new Error(begun.left)
  const state = /state=([\w-]+)/.exec(begun.right.address)?.[1] ?? ''
  return { state, secret: begun.right.secret }
}

export const finish = (useCases: UseCases, code: string, begun: Begun) =>
  useCases.signIn.provider.finish(
    visit,
    `/sign-in/provider/callback?code=${code}&state=${begun.state}`,
    begun,
  )

export const signInAtProvider = async (useCases: UseCases, code: string) =>
  finish(useCases, code, await begin(useCases))
