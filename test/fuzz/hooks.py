"""What the fuzzer can't read off the document: values of the API's own formats, and which refusals of valid data are right."""

import itertools
import json
import re

import schemathesis
from hypothesis import strategies as st

# Values of the formats that packages/domain/src/value/formats.ts declares; those with a pattern alone follow from it.
DAY = st.dates().map(lambda day: day.isoformat())
# Clocks are put forward at night: hours from 5 exist on every day.
TIME = st.builds(lambda hour, minute: f"T{hour:02}:{minute:02}:00", st.integers(5, 23), st.integers(0, 59))
DATE_TIME = st.builds(lambda day, time: day + time, st.dates().map(str), TIME)
BLOCK = st.sampled_from(
    [
        "<p>Words, <em>more</em> words.</p>",
        "<h2>A title</h2>",
        "<hr/>",
        "<ul><li>One</li><li>Two</li></ul>",
        "bare text<br/>",
        '<figure class="wide"><img src="/a.png" alt="" width="10"/><figcaption>A caption</figcaption></figure>',
        "<table><tr><th>1</th><td>2</td></tr></table>",
        "<!-- a comment -->",
    ]
)
MARKUP = st.lists(BLOCK, max_size=4).map("".join)

FORMATS = {
    "web-address": st.from_regex(r"\Ahttps?://([a-z]{1,10}\.example\.org|youtu\.be|vimeo\.com|soundcloud\.com)/[a-z0-9/_.~-]{0,20}\Z"),
    "naive-date-time": st.one_of(DAY, DATE_TIME),
    "markup": MARKUP,
    "body-markup": st.builds(
        lambda head, slot, tail: f'{head}<slot id="{slot}"/>{tail}', MARKUP, st.uuids(version=4), MARKUP
    ),
    "markup-or-text": st.one_of(MARKUP, st.sampled_from(["Salt & pepper", "a > b", "Plain words"])),
    "mimetype": st.sampled_from(["image/png", "audio/mpeg", "application/x-tar", "text/plain"]),
    "time-zone": st.sampled_from(["Europe/Vienna", "UTC", "America/New_York", "Asia/Kathmandu"]),
    "price-index": st.sampled_from(["free", "Inexpensive", "MODERATE", "expensive", "very_expensive", "Very expensive"]),
    "isbn": st.sampled_from(["978-3-16-148410-0", "3161484100", "0-8044-2957-X"]),
    "period": st.builds(lambda start, end: f"{start}_{end}", st.one_of(st.just(""), DAY, DATE_TIME), DAY),
    "bare-web-address": st.from_regex(r"\A[a-z]{1,10}\.example\.org/[a-z0-9/_.~-]{0,20}\Z"),
    "web-address-or-path": st.from_regex(r"\A(https://example\.org)?/[a-z0-9_.~-][a-z0-9/_.~-]{0,20}\Z"),
    "redirect-pattern": st.from_regex(r"\A/[a-z]{1,9}(/\*\*)?(/[a-z]{0,9})?\Z"),
    "redirect-template": st.from_regex(r"\A(https://example\.org)?/[a-z]{1,9}(/\\1)?\Z"),
    "web-addresses": st.from_regex(r"\A(https://a\.example/[a-z]{1,9}, ?)?b\.example/[a-z]{0,9}\Z"),
    "email-addresses": st.from_regex(r"\A([A-Z][a-z]{1,9} <[a-z]{1,9}@example\.org>, )?[a-z]{1,9}@example\.org\Z"),
    "duration": st.sampled_from(["PT5M", "PT1H30M", "P1DT12H", "P2W"]),
}

for name, values in FORMATS.items():
    schemathesis.openapi.format(name, values)


def readable(part):
    """
    Schemas as release 4.32.5 of the fuzzer reads them right: `prefixItems`, which it takes for invalid in answers, as
    lists, and the format `text` as a pattern, since it can't know what violates a format.
    """
    if isinstance(part, list):
        return [readable(each) for each in part]
    if not isinstance(part, dict):
        return part
    rest = {name: readable(each) for name, each in part.items() if name != "prefixItems"}
    if isinstance(part.get("prefixItems"), list):
        rest["items"] = part["prefixItems"][0]
    if part.get("format") == "text":
        del rest["format"]
        rest["pattern"] = r"^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*$"
    return rest


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def number_of(uuid):
    return int(uuid.replace("-", ""), 16)


# UUIDs that the document's examples refer to, by the attribute that does: random ones name nothing.
REFERRED = {}
# Attributes whose names don't end in the kind of what they refer to, or that no example has.
KINDS = {"parent_uuid": "section_uuid", "coupon_img_uuid": "image_uuid", "thumb_uuid": "image_uuid"}
# The parameters of the path in the examples of each operation: what it is about exists.
PLACES = {}
PREDICATES = set()
# What examples refer to, and what they are about.
KEPT = set()
# Uploads that answers tell of, by their files: no example can know their numbers.
UPLOADS = {}


def kind_of(name):
    name = re.sub(r"uuids$", "uuid", name)
    return KINDS.get(name, "image_uuid" if name.endswith("_image_uuid") else re.sub(r"^auto_", "", name))


def collect_references(part, within_examples=False):
    if isinstance(part, list):
        for each in part:
            collect_references(each, within_examples)
    elif isinstance(part, dict):
        for name, each in part.items():
            if within_examples and name.endswith("uuid") and isinstance(each, str):
                REFERRED.setdefault(kind_of(name), set()).add(each)
            collect_references(each, within_examples or name == "examples")


def collect_places(schema):
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            own = [each for each in operation.get("parameters", []) if each.get("in") == "path" and "example" in each]
            place = {each["name"]: each["example"] for each in own}
            PLACES[method.upper(), path] = place
            KEPT.update(value for name, value in place.items() if name.endswith("uuid"))
            PREDICATES.update(value for each in own if each["name"] == "predicate" for value in each["schema"]["enum"])
    KEPT.update(*REFERRED.values())


def with_references(part, own_kind, kind=None):
    """
    Most UUIDs turned to ones that exist, so that writes get past the check of references; `own_kind` is what `uuid`
    itself refers to.
    """
    if isinstance(part, list):
        return [with_references(each, own_kind, kind) for each in part]
    if isinstance(part, dict):
        return {
            name: with_references(each, own_kind, own_kind if name == "uuid" else kind_of(name))
            for name, each in part.items()
        }
    known = sorted(REFERRED.get(kind, ()))
    if not known or not isinstance(part, str) or not UUID.fullmatch(part) or number_of(part) % 8 == 0:
        return part
    return known[number_of(part) % len(known)]


CONDITIONS = {"if-match", "if-none-match"}
URLNAME = re.compile(r"[A-Za-z0-9_.~-]{1,200}")
# Two of them: a request that takes one of each would else always take an even one, or an odd one.
NAMES, PATHS = itertools.count(1), itertools.count(1)


@schemathesis.hook
def map_body(context, body):
    return with_references(body, "image_uuid" if context.operation.path.endswith("/listing_images") else None)


def with_own_name(body):
    """Names in paths are unique, and random ones soon taken: most get a number of their own."""
    name = body.get("urlname")
    number = next(NAMES)
    if not isinstance(name, str) or not URLNAME.fullmatch(name) or number % 8 == 0:
        return body
    return {**body, "urlname": f"{name}-{number}"}


def without_addon_switch(body):
    """An instance that loses the directory add-on would refuse all of listings from then on."""
    return {name: value for name, value in body.items() if name != "directory_addon" or value not in (False, None)}


def is_right(name, value):
    if name.endswith("uuid"):
        return isinstance(value, str) and UUID.fullmatch(value) is not None
    if name == "upload":
        return re.fullmatch("[0-9]{1,15}", str(value)) is not None
    return name != "predicate" or value in PREDICATES


def spared(parameters):
    """What others refer to isn't deleted, but something that isn't there."""
    uuid = parameters["uuid"]
    return {**parameters, "uuid": f"{uuid[:-1]}{(number_of(uuid) + 1) % 16:x}"} if uuid.lower() in KEPT else parameters


def placed(method, path, parameters):
    """Every other path turned to one that leads somewhere. Only what a PUT brings back is deleted there."""
    number = next(PATHS)
    if method == "DELETE" and path.endswith("/{uuid}"):
        return spared(parameters)
    if number % 2 == 0:
        return parameters
    if "upload" in parameters and UPLOADS:
        file = sorted(UPLOADS)[number % len(UPLOADS)]
        return {**parameters, "uuid": file, "upload": UPLOADS[file]}
    return {**parameters, **{name: value for name, value in PLACES.get((method, path), {}).items() if name != "iid"}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """What a hook on what is made at random can't do: examples and what links lead to come by here too."""
    parameters = dict(case.path_parameters or {})
    if "uuid" in parameters and all(is_right(name, value) for name, value in parameters.items()):
        case.path_parameters = placed(case.method.upper(), case.operation.path, parameters)
    if isinstance(case.body, dict) and case.media_type == "application/json":
        case.body = without_addon_switch(with_own_name(case.body))


@schemathesis.hook
def after_call(context, case, response):
    for file, upload in re.findall(rb"/files/([0-9a-f-]{36})/download/([0-9]+)", response.content or b""):
        UPLOADS[file.decode()] = int(upload)
    if case.operation.path.endswith("/download/{upload}") and response.status_code in (200, 206):
        # Data are what was uploaded under the type that was said then, right or not: they can't be read as of it.
        response.headers["content-type"] = ["application/octet-stream"]


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
    collect_places(raw_schema)
    changed = readable(raw_schema)
    raw_schema.clear()
    raw_schema.update(changed)


# Refusals that the document can't foretell, by what error_info says, with the reason. Each is tested by
# test/src/generated and test/src/wire; a refusal for any other reason is a finding.
UNFORETOLD = [
    (r"names no .* of this instance", "a UUID of the right form needn't name anything"),
    (r"must be the UUID of a tag category", "the same, of a parameter"),
    (r"unique", "a urlname or a pattern may be taken"),
    (r"^the body does not contain the tag <slot", "a slot has to be placed in the body first"),
    (r"^must be an address at ", "hosts are compared without regard to case, which no pattern says readably"),
    (r"^this kind of object does not accept the predicate", "which kind of object a UUID names isn’t said by it"),
    (r"^can(not| only) (be used|have numbers) |^needs another part whose name starts with by$", "parts of a rule, by RFC 5545, 3.3.10"),
    (r" does not exist", "a pattern of date-times has no calendar and no changes of clocks"),
    (r"^must have an occurrence: ", "whether anything follows from a rule is a calculation"),
    (r"^must not be before (listing_start|coupon_start|dtstart)$", "a schema compares no moments"),
    (r"^another tag category has the kind ", "what kinds there are already isn’t said by one category"),
    (r", or a row with the UUID or URL of a tag$", "which value of a row names the tag is no matter of its type"),
    (r"^is required for a coupon$", "an image that was deleted since leaves a coupon as it is"),
    (r"^is for images only, and this file is none$", "what data a file has isn't said by its address"),
    (r"^must not be the section itself or one below it$", "what is below a section isn't said by its UUID"),
    (r"needs ctypes=events$", "a parameter that another one permits"),
    (r"^must have at most 1000 bytes", "a schema counts characters"),
    (r"^needs the directory add-on", "what there is depends on the settings of the instance"),
]


# The same of changes, which don't say what stands already.
UNFORETOLD_OF_CHANGES = [
    (r"^needs type person$", "the type of the tag"),
    (r"^can only be changed together with is_listing: true$", "whether the location is a listing"),
]


def is_foretold(message, method):
    unforetold = UNFORETOLD + (UNFORETOLD_OF_CHANGES if method == "PATCH" else [])
    return not any(re.search(pattern, message) for pattern, _ in unforetold)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    if failure.code != "ST202" or response.status_code != 400:
        return True
    body = json.loads(response.content)
    told = body.get("error_info", {})
    # The parent of a comment: whether a PUT creates it isn't said by its body.
    if told.get("parent_uuid", told.get("parent_type", "")).startswith("cannot be changed"):
        return False
    # A creation makes one from the title; whether a PUT creates isn't said by its body.
    if told.get("urlname") == "is required":
        return False
    # What else is told then is about the type that the object has.
    if told.get("content_type", "").startswith("cannot be changed"):
        return False
    return body["error"] != "bad_parameters" or any(is_foretold(each, case.method.upper()) for each in told.values())
