import { problemTable } from './problem-table.js'

const escapeHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** The page that error_uri points at: each code with its status and what to do (decisions §3). */
export const errorReference = (): string => {
  const rows = Object.values(problemTable)
    .map(
      ({ error, status, meaning }) =>
        `<section id="${error}"><h2>${status} ${error}</h2><p>${escapeHtml(meaning)}</p></section>`,
    )
    .join('\n')
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Errors</title></head>
<body><h1>Errors</h1>
<p>Every error answer is a JSON object with error, error_description and error_uri, which leads here.</p>
${rows}
</body>
</html>
`
}
