package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"strconv"
	"strings"

	"clients/api"

	"github.com/google/uuid"
)

func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

func main() {
	instance := must(strconv.Atoi(os.Getenv("INSTANCE")))
	content := uuid.MustParse(os.Getenv("CONTENT"))
	file := uuid.MustParse(os.Getenv("FILE"))
	title := os.Getenv("TITLE")
	authorize := func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("TOKEN"))
		return nil
	}
	client := must(api.NewClientWithResponses(os.Getenv("SERVICE"), api.WithRequestEditorFn(authorize)))
	ctx := context.Background()

	fields := []api.ListContentParamsFields{"uuid", "title"}
	page := must(client.ListContentWithResponse(ctx, instance, &api.ListContentParams{Fields: &fields}))
	read := must(client.ReadContentWithResponse(ctx, instance, content, nil))
	article := must(read.JSON200.AsContentArticle())
	if !strings.Contains(string(must(json.Marshal(page.JSON200.Items))), article.Title) {
		panic("it is not listed")
	}

	var change api.ContentChange
	if err := change.FromContentArticleChange(api.ContentArticleChange{Title: &title}); err != nil {
		panic(err)
	}
	changed := must(client.ChangeContentWithResponse(ctx, instance, content, nil, change))
	uploaded := must(client.UploadFileWithBodyWithResponse(ctx, instance, file, nil, "text/plain", strings.NewReader(title)))
	for _, status := range []int{changed.StatusCode(), uploaded.StatusCode()} {
		if status != http.StatusOK {
			panic(fmt.Sprint("a request failed with ", status))
		}
	}
}
