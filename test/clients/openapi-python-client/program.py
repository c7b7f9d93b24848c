from importlib import import_module
from io import BytesIO
from os import environ
from pkgutil import walk_packages
from uuid import UUID

import api
from api import AuthenticatedClient
from api.api.content import change_content, list_content, read_content
from api.api.files import upload_file
from api.models import ContentArticleChange, ListContentFieldsItem, Page
from api.types import File

# Every module of the client compiles, and finds what it imports.
for module in walk_packages(api.__path__, "api."):
    import_module(module.name)

instance, title = int(environ["INSTANCE"]), environ["TITLE"]
content, file = UUID(environ["CONTENT"]), UUID(environ["FILE"])
client = AuthenticatedClient(base_url=environ["SERVICE"], token=environ["TOKEN"], raise_on_unexpected_status=True)

page = list_content.sync(instance, client=client, fields=[ListContentFieldsItem.TITLE])
assert isinstance(page, Page), page
read = read_content.sync(instance, content, client=client)
assert [getattr(read, "title")] in page.items, read
change_content.sync(instance, content, client=client, body=ContentArticleChange(title=title))
upload_file.sync(instance, file, client=client, body=File(payload=BytesIO(title.encode())))
