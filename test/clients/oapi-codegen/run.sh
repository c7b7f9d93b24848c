set -e
# What runs once is not optimized, and its compiler collects little garbage.
export GOGC=400 GOFLAGS="'-gcflags=all=-N -l -dwarf=false' '-gcflags=std=' '-ldflags=-s -w'"
mkdir api whole
go build -o generator github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen
# The types of the whole client are checked. Machine code takes half a minute, and so is made of what the program calls.
./generator -config whole.yaml "$DOCUMENT"
go vet -unsafeptr ./whole
./generator -config config.yaml "$DOCUMENT"
go run .
