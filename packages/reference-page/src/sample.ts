/** Commands to copy, in curl for a shell and in JavaScript for a module or a browser’s console. */
import { html, type Html } from './html.js'

export type Sample = { readonly id: string; readonly curl: string; readonly javascript: string }

const pane = (id: string, language: string, label: string, code: string, isFirst: boolean): Html =>
  html`<input
      type="radio"
      name="${id}"
      id="${id}-${language}"
      value="${language}"
      ${isFirst ? html` checked` : html``}
    /><label for="${id}-${language}">${label}</label>
    <pre data-language="${language}"><code>${code}</code></pre>`

/** Both versions under tabs that work without a script. */
export const sampleFigure = ({ id, curl, javascript }: Sample): Html =>
  html`<figure class="sample" id="sample-${id}">
    ${pane(id, 'curl', 'curl', curl, true)}${pane(id, 'javascript', 'JavaScript', javascript, false)}
  </figure>`

export const codeBlock = (code: string): Html => html`<pre><code>${code}</code></pre>`
