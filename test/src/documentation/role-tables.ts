/** The tables of docs/roles.md, from the permissions and from the endpoints of the contract. */
import { type Standing, standingNeeded } from '@publishing-service/access'
import { actions, permissions, roleNeeded, type Subject } from '@publishing-service/domain/roles'
import { endpoints } from '@publishing-service/http-contract'
import { markdownTable } from './markdown-table.js'

const subjects = Object.keys(permissions) as Subject[]

/** The lowest role for each action on each subject. */
export const roleMatrix = (): string =>
  markdownTable(
    ['', ...actions],
    subjects.map((subject) => [
      `\`${subject}\``,
      ...actions.map((action) => {
        const needed = roleNeeded(subject, action)
        return needed === null ? '–' : `\`${needed}\``
      }),
    ]),
  )

const standingNames: Readonly<Record<Standing, string>> = {
  user: 'any API user',
  administrator: '`admin` of an instance, or operator',
  operator: 'operator',
}

/** The lowest role for each endpoint. A PUT that creates an object requires the role for creation. */
export const endpointRoles = (): string =>
  markdownTable(
    ['Endpoint', 'What it does', 'Least role'],
    endpoints.map(({ method, path, summary, permission, deployment, operation }) => {
      if (deployment !== undefined)
        return [`\`${method} ${path}\``, summary, standingNames[standingNeeded(deployment)]]
      const needed = permission === null ? null : roleNeeded(permission.subject, permission.action)
      const toCreate =
        permission !== null && operation === 'replaceObject'
          ? roleNeeded(permission.subject, 'create')
          : needed
      const least = needed === null ? 'none, no token' : `\`${needed}\``
      return [
        `\`${method} ${path}\``,
        summary,
        toCreate === needed || toCreate === null ? least : `${least}; to create \`${toCreate}\``,
      ]
    }),
  )
