/** The meaning and the remedy of each error code. `error_uri` links to this page (docs/behaviour/errors.md). */
import type { AnyProblem, ProblemTag } from '@publishing-service/domain'
import { asciiJson } from '@publishing-service/domain/json'
import { errorBody, errorResponse, problemTable } from '@publishing-service/http-contract'

const base = 'https://api.example.org'

const exampleResponse = (tag: ProblemTag): string => {
  const response = errorResponse({ ...problemTable[tag].example, _tag: tag } as AnyProblem)
  const headers = Object.entries(response.headers).map(([name, value]) => `${name}: ${value}`)
  const body = JSON.stringify(JSON.parse(asciiJson(errorBody(response, base))), null, 2)
  return [`HTTP/1.1 ${response.status}`, ...headers, '', body].join('\n')
}

const tags = Object.keys(problemTable) as ProblemTag[]

/** A part for each code, as Markdown. */
export const errorParts = (): string =>
  tags
    .map((tag) => {
      const { error, status, meaning, remedy } = problemTable[tag]
      return `## \`${error}\` {#${error}}

Status ${status}. ${meaning}

**What to do.** ${remedy}

\`\`\`http
${exampleResponse(tag)}
\`\`\``
    })
    .join('\n\n')
