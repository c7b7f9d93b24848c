"""What the fuzzer can't read off the document: values of the API's own formats, and which refusals of valid data are right."""

import json
import re

import schemathesis
from hypothesis import strategies as st

# Values of the formats that packages/domain/src/value/formats.ts declares. Those with a pattern follow from it.
TEXT = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cs", "Cc"], include_characters="\t\n\r"), max_size=40
)
DAY = st.dates().map(lambda day: day.isoformat())
# Clocks are put forward at night: hours from 5 exist on every day.
TIME = st.builds(lambda hour, minute: f"T{hour:02}:{minute:02}:00", st.integers(5, 23), st.integers(0, 59))
DATE_TIME = st.builds(lambda day, time: day + time, st.dates().map(str), TIME)
BLOCK = st.sampled_from(
    ["<p>Words, <em>more</em> words.</p>", "<h4>A title</h4>", "<hr/>", "<ul><li>One</li><li>Two</li></ul>"]
)
MARKUP = st.lists(BLOCK, max_size=4).map("".join)

FORMATS = {
    "text": TEXT,
    "web-address": st.from_regex(r"\Ahttps?://[a-z]{1,10}\.example\.org/[a-z0-9/_.~-]{0,20}\Z"),
    "naive-date-time": st.one_of(DAY, DATE_TIME),
    "markup": MARKUP,
    "body-markup": st.builds(
        lambda head, slot, tail: f'{head}<slot id="{slot}"/>{tail}', MARKUP, st.uuids(version=4), MARKUP
    ),
    "mimetype": st.sampled_from(["image/png", "audio/mpeg", "application/x-tar", "text/plain"]),
    "time-zone": st.sampled_from(["Europe/Vienna", "UTC", "America/New_York", "Asia/Kathmandu"]),
    "price-index": st.sampled_from(["free", "Inexpensive", "MODERATE", "expensive", "very_expensive", "Very expensive"]),
    "isbn": st.sampled_from(["978-3-16-148410-0", "3161484100", "0-8044-2957-X"]),
    "period": st.builds(lambda start, end: f"{start}_{end}", st.one_of(st.just(""), DAY, DATE_TIME), DAY),
    "digits": st.from_regex(r"\A[0-9]{1,32}\Z"),
    "duration": st.sampled_from(["PT5M", "PT1H30M", "P1DT12H", "P2W"]),
}

for name, values in FORMATS.items():
    schemathesis.openapi.format(name, values)


def without_tuples(part):
    """Schemas with `prefixItems`, which release 4.32.5 of the fuzzer takes for invalid in answers, as lists."""
    if isinstance(part, list):
        return [without_tuples(each) for each in part]
    if not isinstance(part, dict):
        return part
    rest = {name: without_tuples(each) for name, each in part.items() if name != "prefixItems"}
    if isinstance(part.get("prefixItems"), list):
        rest["items"] = part["prefixItems"][0]
    return rest


# UUIDs that the document's examples refer to, by the attribute that does: random ones name nothing.
REFERRED = {}


def collect_references(part, within_examples=False):
    if isinstance(part, list):
        for each in part:
            collect_references(each, within_examples)
    elif isinstance(part, dict):
        for name, each in part.items():
            if within_examples and name.endswith("uuid") and isinstance(each, str):
                REFERRED.setdefault(name, set()).add(each)
            collect_references(each, within_examples or name == "examples")


def with_references(part):
    """Every other UUID turned to one that exists, so that writes get past the check of references."""
    if isinstance(part, list):
        return [with_references(each) for each in part]
    if not isinstance(part, dict):
        return part
    return {name: turned(name, each) for name, each in part.items()}


def turned(name, value):
    if not isinstance(value, str) or not UUID.fullmatch(value):
        return with_references(value)
    known = sorted(REFERRED.get(name, ()))
    number = int(value.replace("-", ""), 16)
    return known[number % len(known)] if known and number % 2 == 0 else value


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
CONDITIONS = {"if-match", "if-none-match"}


@schemathesis.hook
def map_body(context, body):
    return with_references(body)


@schemathesis.hook
def map_headers(context, headers):
    """Random conditions never hold, so most writes would end there: those with a short value stay."""
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in CONDITIONS or not isinstance(value, str) or len(value) == 1
    }


@schemathesis.hook
def before_load_schema(context, raw_schema):
    collect_references(raw_schema)
    changed = without_tuples(raw_schema)
    raw_schema.clear()
    raw_schema.update(changed)


# Refusals that the document can't foretell, by what error_info says, with the reason. Each is tested by
# test/src/generated and test/src/wire; a refusal for any other reason is a finding.
UNFORETOLD = [
    (r"names no .* of this instance", "a UUID of the right form needn't name anything"),
    (r"must be the UUID of a tag category", "the same, of a parameter"),
    (r"unique", "a urlname may be taken"),
    (r"^no tag <slot", "a slot has to be placed in the body first"),
    (r"^is for tags of the type person", "a rule between attributes"),
    (r"^needs the directory add-on", "what there is depends on the settings of the instance"),
]


def is_foretold(message):
    return not any(re.search(pattern, message) for pattern, _ in UNFORETOLD)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if failure.code != "ST202" or response.status_code != 400:
        return True
    body = json.loads(response.content)
    told = body.get("error_info", {})
    # What else is told then is about the type that the object has.
    if told.get("content_type", "").startswith("cannot be changed"):
        return False
    return body["error"] != "bad_parameters" or any(is_foretold(message) for message in told.values())
