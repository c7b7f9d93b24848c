package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"

	"clients/api"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// result drops the response, whose status is an error if it is none of a success.
func result[T, R any](value T, _ R, err error) T {
	return must(value, err)
}

func expect(holds bool, fault string, value any) {
	if !holds {
		panic(fmt.Sprint(fault, ": ", value))
	}
}

func main() {
	instance := must(strconv.ParseInt(os.Getenv("INSTANCE"), 10, 64))
	content, file, section := os.Getenv("CONTENT"), os.Getenv("FILE"), os.Getenv("SECTION")
	title := os.Getenv("TITLE")
	configuration := api.NewConfiguration()
	configuration.Servers = api.ServerConfigurations{{URL: os.Getenv("SERVICE")}}
	client := api.NewAPIClient(configuration)
	ctx := context.WithValue(context.Background(), api.ContextAccessToken, os.Getenv("TOKEN"))

	page := result(client.ContentAPI.ListContent(ctx, instance).Fields([]string{"uuid", "title"}).Execute())
	read := result(client.ContentAPI.ReadContent(ctx, instance, content).Execute()).ContentArticle
	isRead := func(row []any) bool { return row[0] == read.Uuid && row[1] == read.Title }
	expect(slices.ContainsFunc(page.Items, isRead), "it is not listed", page.Items)

	article := api.NewContentArticleInput("article", title, "created")
	article.SetState("published")
	article.SetSectionUuid(section)
	input := api.ContentArticleInputAsContentInput(article)
	created := result(client.ContentAPI.CreateContent(ctx, instance).ContentInput(input).Execute())
	shown := result(client.ContentAPI.ReadWebPage(ctx, instance).Path("/sport/created/").Execute())
	expect(shown.WebPageContent.Object.ContentArticle.Uuid == created.Uuid, "the page shows another object", shown)

	change := api.ContentDraftChange{Title: &title}
	result(client.ContentAPI.ChangeContentDraft(ctx, instance, content).ContentDraftChange(change).Execute())
	result(client.ContentAPI.PublishContentDraft(ctx, instance, content).Execute())
	versions := result(client.ContentAPI.ListContentVersions(ctx, instance, content).Execute())
	expect(len(versions.Items) == 2, "there are not two versions", versions)
	changes := result(client.ChangesAPI.ListChanges(ctx, instance).Types([]string{"content"}).Execute())
	isOfContent := func(each api.Change) bool { return each.GetUuid() == content }
	expect(slices.ContainsFunc(changes.Items, isOfContent), "the feed does not have the change", changes)

	data := must(os.CreateTemp("", "upload-*.txt"))
	defer os.Remove(data.Name())
	must(data.WriteString(title))
	must(data.Seek(0, 0))
	result(client.FilesAPI.UploadFile(ctx, instance, file).Body(data).Execute())
}
