"""Additions to the fuzzer: values of the API's formats, and expected rejections of valid data."""

import itertools
import json
import re

import schemathesis
from hypothesis import strategies as st

# Values of the formats in packages/domain/src/value/schema.ts. Formats with only a pattern are generated from
# it.
DAY = st.dates().map(lambda day: day.isoformat())
# Clocks are put forward at night, so hours from 5 exist on every day.
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
    "website-address": st.from_regex(r"\Ahttps?://[a-z]{1,10}\.example\.org/[a-z0-9/_.~-]{0,20}\Z"),
    "preview-address": st.from_regex(r"\Ahttps://[a-z]{1,10}\.example\.org/\?path=\{path\}&token=\{token\}\Z"),
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
    "feed-place": st.just("now"),
    "focal-point": st.sampled_from(["0,0", "0.5,0.33", "1,1"]),
    "duration": st.sampled_from(["PT5M", "PT1H30M", "P1DT12H", "P2W"]),
}

for name, values in FORMATS.items():
    schemathesis.openapi.format(name, values)


def supported(part):
    """
    Rewrites schemas for release 4.32.5 of the fuzzer: `prefixItems`, which it rejects in responses, becomes `items`,
    and the format `text` becomes a pattern, because the fuzzer cannot generate violations of a format.
    """
    if isinstance(part, list):
        return [supported(each) for each in part]
    if not isinstance(part, dict):
        return part
    rest = {name: supported(each) for name, each in part.items() if name != "prefixItems"}
    if isinstance(part.get("prefixItems"), list):
        rest["items"] = part["prefixItems"][0]
    if part.get("format") == "text":
        del rest["format"]
        any_text = r"[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]*"
        # A text that must not be empty shows something.
        shown = r"[!-~\u00a1-\u00ac\u00ae-\u017f]" + any_text if part.get("minLength", 0) > 0 else ""
        rest["pattern"] = f"^{any_text}{shown}$"
    return rest


UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)


def number_of(uuid):
    return int(uuid.replace("-", ""), 16)


# UUIDs in the document's examples, by the kind of object that they refer to. Random UUIDs refer to nothing.
EXAMPLE_UUIDS = {}
# Attributes whose names do not end in the kind of their object, or which no example has.
KINDS = {"parent_uuid": "section_uuid", "coupon_img_uuid": "image_uuid", "thumb_uuid": "image_uuid"}
# The path parameters in the examples of each operation, which name existing objects.
EXAMPLE_PATHS = {}
PREDICATES = set()
# All UUIDs in examples.
USED_UUIDS = set()
# The numbers of uploads in responses, by file. No example can contain them.
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
                EXAMPLE_UUIDS.setdefault(kind_of(name), set()).add(each)
            collect_references(each, within_examples or name == "examples")


def resolved(schema, part):
    if "$ref" not in part:
        return part
    for name in part["$ref"].split("/")[1:]:
        schema = schema[name]
    return schema


def collect_paths(schema):
    for path, item in schema["paths"].items():
        for method, operation in item.items():
            all_parameters = [resolved(schema, each) for each in operation.get("parameters", [])]
            own = [each for each in all_parameters if each.get("in") == "path" and "example" in each]
            place = {each["name"]: each["example"] for each in own}
            EXAMPLE_PATHS[method.upper(), path] = place
            USED_UUIDS.update(value for name, value in place.items() if name.endswith("uuid"))
            PREDICATES.update(value for each in own if each["name"] == "predicate" for value in each["schema"]["enum"])
    USED_UUIDS.update(*EXAMPLE_UUIDS.values())


def with_references(part, own_kind, kind=None):
    """
    Replaces most UUIDs by existing ones, so that writes pass the check of references. `own_kind` is the kind of
    object that the attribute `uuid` refers to.
    """
    if isinstance(part, list):
        return [with_references(each, own_kind, kind) for each in part]
    if isinstance(part, dict):
        return {
            name: with_references(each, own_kind, own_kind if name == "uuid" else kind_of(name))
            for name, each in part.items()
        }
    known = sorted(EXAMPLE_UUIDS.get(kind, ()))
    if not known or not isinstance(part, str) or not UUID.fullmatch(part) or number_of(part) % 8 == 0:
        return part
    return known[number_of(part) % len(known)]


CONDITIONS = {"if-match", "if-none-match"}
URLNAME = re.compile(r"[A-Za-z0-9_.~-]{1,200}")
# Two counters: a request that increments both would otherwise always get even or always odd numbers.
NAMES, PATHS = itertools.count(1), itertools.count(1)


@schemathesis.hook
def map_body(context, body):
    return with_references(body, "image_uuid" if context.operation.path.endswith("/listing_images") else None)


def with_own_name(body):
    """Appends a number to most urlnames, which must be unique. Random ones would soon be in use."""
    name = body.get("urlname")
    number = next(NAMES)
    if not isinstance(name, str) or not URLNAME.fullmatch(name) or number % 8 == 0:
        return body
    return {**body, "urlname": f"{name}-{number}"}


def without_addon_switch(body):
    """Never disables the directory add-on. All later writes of listings would be rejected."""
    return {name: value for name, value in body.items() if name != "directory_addon" or value not in (False, None)}


def is_valid(name, value):
    if name.endswith("uuid"):
        return isinstance(value, str) and UUID.fullmatch(value) is not None
    if name == "upload":
        return re.fullmatch("[0-9]{1,15}", str(value)) is not None
    return name != "predicate" or value in PREDICATES


def without_used_uuid(parameters):
    """Replaces the UUID of an object that examples refer to by an unknown one, so that it is not deleted."""
    uuid = parameters["uuid"]
    return {**parameters, "uuid": f"{uuid[:-1]}{(number_of(uuid) + 1) % 16:x}"} if uuid.lower() in USED_UUIDS else parameters


def with_existing_path(method, path, parameters):
    """Replaces every second path by one to existing objects, except for deletions."""
    number = next(PATHS)
    if method == "DELETE" and path.endswith("/{uuid}"):
        return without_used_uuid(parameters)
    if number % 2 == 0:
        return parameters
    if "upload" in parameters and UPLOADS:
        file = sorted(UPLOADS)[number % len(UPLOADS)]
        return {**parameters, "uuid": file, "upload": UPLOADS[file]}
    return {**parameters, **{name: value for name, value in EXAMPLE_PATHS.get((method, path), {}).items() if name != "iid"}}


@schemathesis.hook
def before_call(context, case, kwargs):
    """Alters all requests, including those of examples and links, which the hooks on generated data do not see."""
    parameters = dict(case.path_parameters or {})
    if "uuid" in parameters and all(is_valid(name, value) for name, value in parameters.items()):
        case.path_parameters = with_existing_path(case.method.upper(), case.operation.path, parameters)
    if isinstance(case.body, dict) and case.media_type == "application/json":
        case.body = without_addon_switch(with_own_name(case.body))


@schemathesis.hook
def after_call(context, case, response):
    for file, upload in re.findall(rb"/files/([0-9a-f-]{36})/download/([0-9]+)", response.content or b""):
        UPLOADS[file.decode()] = int(upload)
    if case.operation.path.endswith("/download/{upload}") and response.status_code in (200, 206):
        # File data has the media type that its upload declared, whether or not it is valid, so it is not
        # parsed.
        response.headers["content-type"] = ["application/octet-stream"]


@schemathesis.hook
def map_headers(context, headers):
    """Removes most preconditions. Random ones are never met, so most writes would fail."""
    return {
        name: value
        for name, value in headers.items()
        if name.lower() not in CONDITIONS or not isinstance(value, str) or len(value) == 1
    }


@schemathesis.hook
def before_load_schema(context, raw_schema):
    collect_references(raw_schema)
    collect_paths(raw_schema)
    changed = supported(raw_schema)
    raw_schema.clear()
    raw_schema.update(changed)


# Rejections that the document cannot describe, as patterns of error_info messages with reasons.
# test/src/generated and test/src/wire test each. A rejection for another reason is a finding.
UNDOCUMENTED = [
    (r"names no .* of this instance", "a valid UUID may name no object"),
    (r"must be the UUID of a tag category", "the same, for a parameter"),
    (r"^names no published comment on this content$", "the same, for a comment"),
    (r"unique", "a urlname or a pattern may be in use"),
    (r"^the body does not contain the tag <slot", "a slot must be in the body first"),
    (r"^must be an address at ", "hosts are case-insensitive, which no readable pattern can express"),
    (r"^this kind of object does not accept the predicate", "a UUID does not contain the kind of its object"),
    (r"^can(not| only) (be used|have numbers) |^needs another part whose name starts with by$", "parts of a rule, by RFC 5545, 3.3.10"),
    (r" does not exist", "a pattern does not contain the calendar and the changes to daylight saving time"),
    (r"^must have an occurrence: ", "the occurrences of a rule must be calculated"),
    (r"^must not be before (listing_start|coupon_start|dtstart)$", "a schema cannot compare times"),
    (r"^another tag category has the kind ", "the kinds of existing categories are not in the body"),
    (r", or a row with the UUID or URL of a tag$", "a schema cannot express which value of a row names the tag"),
    (r"^is required for a coupon$", "the image of the coupon may have been deleted"),
    (r"^is for images only, and this file is none$", "a path does not contain the media type of the file"),
    (r"^must not be the section itself or one below it$", "a UUID does not contain the descendants of its section"),
    (r"^must end after it starts$", "a pattern cannot compare the sides of a period"),
    (r"^must be whole numbers from ", "a pattern of numbers does not contain their range"),
    (r"^there is no instance ", "a number does not contain whether its instance exists"),
    (r"^must be exactly the title of the instance$", "a number does not contain the title of its instance"),
    (r"needs (ctypes=events|sections|tags or tags_any or tags_none)$", "a parameter that depends on another"),
    (r"^must be sent with fit=cover( only)?$", "the same, for images"),
    (r"^must be (auto, or one that this service makes|auto or left out|another format, or w or h smaller): ", "the format and the size of an image are not in its address"),
    (r"^must be that of (the link next or prev|a page with the same filters)", "the start of a page, which only a link contains"),
    (r"^«distance» needs near", "an order that depends on a parameter, and is the only one"),
    (r"^must end within the first ", "the page, with an order that sorts in memory"),
    (r"^contains more than 1000 locations", "a circle does not contain the number of its locations"),
    (r"^must contain (a word|at most 32 words)$", "a pattern does not contain what is a letter in Unicode"),
    (r"^must be 1 to 255 characters of A-Z", "a pattern does not contain which characters of a urlname are written in ASCII"),
    (r"^leads to more than ", "a name does not contain the number of its objects"),
    (r"^unknown names? .* (before brackets; |in the brackets of )", "a pattern does not contain the names of each list"),
    (r"^must be an address (whose host|without a user name)", "no readable pattern contains which hosts can exist"),
    (r"^must have at most 1000 bytes", "a schema counts characters"),
    (r"^needs the directory add-on", "the attributes depend on the settings of the instance"),
    (r"^must begin with https://, because the deployment", "the configuration allows http for web hooks, or not"),
    (r"^must be null for what is published: a review", "the body does not contain the state of the object"),
    (r"^needs a review: send review", "the body of a PATCH does not contain the review of the object"),
    (r"^must be the version of the object, [0-9]+, or as it was$", "the body of a draft does not contain the version of its object"),
    (r"^names no API user with the role ", "a UUID does not contain the roles of its user"),
    (r"^must not lead to a path to which the redirect applies again", "a schema cannot compare a template with its pattern"),
    (r"^must be a file of the library with data$", "a UUID does not contain whether its file has data"),
    (r"^would be more than the [0-9]+ (imports|exports) that wait", "the body does not contain how many wait"),
]


# The same for PATCH, whose body does not contain the current values.
UNDOCUMENTED_OF_CHANGES = [
    (r"^needs type person$", "the type of the tag"),
    (r"^can only be changed together with is_listing: true$", "whether the location is a listing"),
]


# The same for urlnames, whose schema has no format in released documents.
UNDOCUMENTED_OF_URLNAMES = [(r"^must not contain control characters", "the format is not in the schema")]


def is_documented(name, message, method):
    undocumented = (
        UNDOCUMENTED
        + (UNDOCUMENTED_OF_CHANGES if method == "PATCH" else [])
        + (UNDOCUMENTED_OF_URLNAMES if name == "urlname" else [])
    )
    return not any(re.search(pattern, message) for pattern, _ in undocumented)


@schemathesis.hook
def filter_failure(context, failure, case, response):
    # Numbers are accepted where texts are expected, which the document does not say (docs/decisions/0050).
    if failure.code == "ST201" and re.search(r"was string, became (integer|number)", failure.message):
        return False
    if failure.code != "ST202":
        return True
    # A schema does not contain which links exist.
    if response.status_code == 410 and json.loads(response.content)["error"] == "link_invalid":
        return False
    # Bytes are declared with their type, which is none of a form: its media type stands for any in the document.
    if response.status_code == 415 and response.request.headers["Content-Type"].startswith("multipart/form-data"):
        return False
    if response.status_code != 400:
        return True
    body = json.loads(response.content)
    info = body.get("error_info", {})
    # The parent of a comment is immutable. The body does not show whether a PUT creates the comment.
    if info.get("parent_uuid", info.get("parent_type", "")).startswith("cannot be changed"):
        return False
    # A creation derives the urlname from the title. The body does not show whether a PUT creates.
    if info.get("urlname") == "is required":
        return False
    # The content type is immutable. The body does not show the type that the object has.
    if info.get("content_type", "").startswith("cannot be changed"):
        return False
    return body["error"] != "bad_parameters" or any(is_documented(name, each, case.method.upper()) for name, each in info.items())
