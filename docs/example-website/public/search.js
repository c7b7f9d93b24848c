/** Shows results while a visitor types: after a pause, and of the last request only. */
const input = document.querySelector('#search input')
const results = document.querySelector('#results')
const pause = 200
let timer = 0
let request = new AbortController()

const update = async () => {
  request.abort()
  request = new AbortController()
  const { signal } = request
  const address = `/search/?q=${encodeURIComponent(input.value)}`
  const text = await fetch(address, { signal }).then(
    (response) => response.text(),
    () => null,
  )
  if (text === null || signal.aborted) return
  const page = new DOMParser().parseFromString(text, 'text/html')
  results.replaceChildren(...page.querySelector('#results').childNodes)
  history.replaceState(null, '', address)
}

input.addEventListener('input', () => {
  clearTimeout(timer)
  timer = setTimeout(update, pause)
})
