-- Sends the requests of a load with wrk, compares each response with the expected one, and prints its counts as the last
-- line. The parameters are environment variables; those that end in FILE are paths.

local function read(name) return io.open(os.getenv(name), "rb"):read("*a") end
local function number(name) return tonumber(os.getenv(name)) end
local threads = {}
function setup(thread)
  thread:set("serial", number("FIRST_SERIAL") + #threads)
  table.insert(threads, thread)
end

if os.getenv("CHANGES") == "true" then
  -- Texts and the names of placeholders alternate; what is sent is joined from them.
  local texts, names, turns = {}, {}, {}
  for text, name in (read("REQUEST_FILE") .. "{last}"):gmatch("(.-){(%l+)}") do
    table.insert(texts, text)
    table.insert(names, name)
  end
  for turn in read("TURNS_FILE"):gmatch("[^\n]+") do table.insert(turns, turn) end
  local step, values, pieces = number("THREADS"), { last = "" }, {}
  function request()
    values.serial = string.format("%012d", serial)
    values.turn = turns[serial % math.max(#turns, 1) + 1]
    serial = serial + step
    for index = 1, #texts do
      pieces[2 * index - 1] = texts[index]
      pieces[2 * index] = values[names[index]]
    end
    return table.concat(pieces)
  end
else
  local text = read("REQUEST_FILE")
  wrk.format = function() return text end
end

local wanted, least, most = number("STATUS"), number("LEAST_BYTES"), number("MOST_BYTES")
local expected = os.getenv("BODY_FILE") and read("BODY_FILE")
wrong, first_wrong = 0, ""
function response(status, headers, body)
  local right = status == wanted and #body >= least and #body <= most
  if right and (not expected or body == expected) then return end
  wrong = wrong + 1
  if wrong == 1 then first_wrong = status .. " " .. body:sub(1, 300):gsub("[^ -~]", "?") end
end

function done(summary, latency)
  local errors, all_wrong, example = summary.errors, 0, ""
  for _, thread in ipairs(threads) do
    all_wrong = all_wrong + thread:get("wrong")
    if example == "" then example = thread:get("first_wrong") end
  end
  local broken = errors.connect + errors.read + errors.write + errors.timeout
  print(summary.requests, summary.duration, latency:percentile(99), all_wrong, broken, example)
end
