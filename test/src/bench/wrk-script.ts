/** The Lua program with which wrk sends the requests of a row, validates each response and writes its counts. */
import { isConstant, type Traffic } from './traffic.js'
import type { Load } from './load-driver.js'

/** As a Lua string, whatever bytes the text has. */
const quoted = (text: string): string =>
  `"${[...Buffer.from(text)].map((byte) => (byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c ? String.fromCharCode(byte) : `\\${String(byte).padStart(3, '0')}`)).join('')}"`

/** A template as a Lua expression. */
const expression = (template: string): string =>
  template
    .split(/(\{(?:serial|turn|length)\})/)
    .filter((part) => part !== '')
    .map((part) => (/^\{(?:serial|turn|length)\}$/.test(part) ? part.slice(1, -1) : quoted(part)))
    .join(' .. ')

const headersText = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')

const constantRequest = ({ method, path, headers, body }: Traffic): string =>
  [
    `wrk.method = ${quoted(method)}`,
    `wrk.path = ${quoted(path)}`,
    ...Object.entries(headers).map(([name, value]) => `wrk.headers[${quoted(name)}] = ${quoted(value)}`),
    ...(body === null ? [] : [`wrk.body = ${quoted(body)}`]),
  ].join('\n')

// The text is put together from its parts: wrk.format would join all headers anew for each request.
const changingRequest = ({ method, path, headers, body, turns }: Traffic, host: string): string => {
  const head = `${method} ${path} HTTP/1.1\r\nHost: ${host}\r\n${headersText(headers)}`
  return `
local turns = { ${turns.map(quoted).join(', ')} }
local step = 0
function request()
  local number = first + step * ${threads}
  step = step + 1
  local serial = string.format("%012d", number)
  local turn = turns[number % math.max(#turns, 1) + 1] or ""
${
  body === null
    ? `  return ${expression(`${head}\r\n`)}`
    : `  local body = ${expression(body)}
  local length = #body
  return ${expression(`${head}Content-Length: {length}\r\n\r\n`)} .. body`
}
end`
}

/** wrk's threads: two, so that the driver doesn't end before the baseline servers do. */
export const threads = 2

export type WrkFiles = {
  /** Holds the expected body, where every response has the same. */
  readonly expected: string
  readonly result: string
}

/** The program of one load; it leaves its counts in `files.result` as JSON. */
export const wrkScript = ({ url, traffic, expected, firstSerial }: Load, files: WrkFiles): string => `
local count = 0
local all = {}
function setup(thread)
  thread:set("first", ${firstSerial} + count)
  count = count + 1
  all[count] = thread
end

wrong = 0
firstWrong = ""
local wanted = nil
function init()
  ${expected.body === null ? '' : `wanted = io.open(${quoted(files.expected)}, "rb"):read("*a")`}
end

${isConstant(traffic) ? constantRequest(traffic) : changingRequest(traffic, new URL(url).host)}

function response(status, headers, body)
  local right = status == ${expected.status} and #body >= ${expected.leastBytes} and #body <= ${expected.mostBytes}
  if right and wanted ~= nil then right = body == wanted end
  if not right then
    wrong = wrong + 1
    if firstWrong == "" then firstWrong = status .. " " .. body:sub(1, 300) end
  end
end

local function json(text)
  return '"' .. text:gsub('[^ -~]', '?'):gsub('[\\\\"]', '\\\\%0') .. '"'
end

function done(summary, latency)
  local bad, example = 0, ""
  for _, thread in ipairs(all) do
    bad = bad + thread:get("wrong")
    if example == "" then example = thread:get("firstWrong") end
  end
  local errors = summary.errors
  local file = io.open(${quoted(files.result)}, "w")
  file:write(string.format(
    '{"requests":%d,"micros":%d,"median":%.0f,"p99":%.0f,"wrong":%d,"broken":%d,"example":%s}',
    summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), bad,
    errors.connect + errors.read + errors.write + errors.timeout, json(example)))
  file:close()
end
`
