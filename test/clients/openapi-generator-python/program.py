from importlib import import_module
from os import environ
from pkgutil import walk_packages
from uuid import UUID

import openapi_client
from openapi_client import (
    ApiClient,
    ChangesApi,
    Configuration,
    ContentApi,
    ContentArticleInput,
    ContentDraftChange,
    ContentInput,
    FilesApi,
)

# Every module of the client compiles, and finds what it imports.
for module in walk_packages(openapi_client.__path__, "openapi_client."):
    import_module(module.name)

instance, title = int(environ["INSTANCE"]), environ["TITLE"]
content, file = UUID(environ["CONTENT"]), UUID(environ["FILE"])
client = ApiClient(Configuration(host=environ["SERVICE"], access_token=environ["TOKEN"]))
contents = ContentApi(client)

page = contents.list_content(instance, fields=["uuid", "title"])
read = contents.read_content(instance, content).actual_instance
assert [str(read.uuid), read.title] in page.items, read

article = ContentArticleInput(
    content_type="article",
    title=title,
    urlname="created",
    state="published",
    section_uuid=UUID(environ["SECTION"]),
)
created = contents.create_content(instance, ContentInput(article))
shown = contents.read_web_page(instance, path="/sport/created/").actual_instance
assert shown.kind == "content" and shown.object.actual_instance.uuid == created.uuid, shown

contents.change_content_draft(instance, content, ContentDraftChange(title=title))
contents.publish_content_draft(instance, content)
assert len(contents.list_content_versions(instance, content).items) == 2
changes = ChangesApi(client).list_changes(instance, types=["content"])
assert any(change.uuid == content for change in changes.items), changes

FilesApi(client).upload_file(instance, file, title.encode())
