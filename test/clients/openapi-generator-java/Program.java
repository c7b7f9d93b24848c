import java.nio.file.Files;
import java.util.List;
import java.util.UUID;
import org.openapitools.client.ApiClient;
import org.openapitools.client.api.ChangesApi;
import org.openapitools.client.api.ContentApi;
import org.openapitools.client.api.FilesApi;
import org.openapitools.client.model.ContentArticleInput;
import org.openapitools.client.model.ContentDraftChange;
import org.openapitools.client.model.ContentInput;

public class Program {
    private static void expect(boolean holds, String fault) {
        if (!holds) throw new IllegalStateException(fault);
    }

    public static void main(String[] arguments) throws Exception {
        var environment = System.getenv();
        var instance = Integer.valueOf(environment.get("INSTANCE"));
        var content = UUID.fromString(environment.get("CONTENT"));
        var file = UUID.fromString(environment.get("FILE"));
        var title = environment.get("TITLE");
        var client = new ApiClient().setBasePath(environment.get("SERVICE"));
        client.setBearerToken(environment.get("TOKEN"));
        var contents = new ContentApi(client);

        var rows = contents.listContent(instance).fields(List.of("uuid", "title")).execute().getItems();
        var read = contents.readContent(instance, content).execute().getContentArticle();
        expect(rows.contains(List.of(read.getUuid().toString(), read.getTitle())), "it is not listed");

        var article = new ContentArticleInput()
            .contentType(ContentArticleInput.ContentTypeEnum.ARTICLE)
            .title(title)
            .urlname("created")
            .state(ContentArticleInput.StateEnum.PUBLISHED)
            .sectionUuid(UUID.fromString(environment.get("SECTION")));
        var created = contents.createContent(instance, new ContentInput(article)).execute();
        var page = contents.readWebPage(instance).path("/sport/created/").execute().getWebPageContent();
        var shown = page.getObject().getContentArticle();
        expect(shown.getUuid().equals(created.getUuid()), "the page shows another object");

        contents.changeContentDraft(instance, content, new ContentDraftChange().title(title)).execute();
        contents.publishContentDraft(instance, content).execute();
        var versions = contents.listContentVersions(instance, content).execute().getItems();
        expect(versions.size() == 2, "there are not two versions");
        var changes = new ChangesApi(client).listChanges(instance).types(List.of("content")).execute().getItems();
        expect(changes.stream().anyMatch(change -> content.equals(change.getUuid())), "the feed does not have the change");

        var data = Files.writeString(Files.createTempFile("upload", ".txt"), title);
        new FilesApi(client).uploadFile(instance, file, data.toFile()).execute();
        Files.delete(data);
    }
}
