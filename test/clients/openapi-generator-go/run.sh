set -e
# What runs once is not optimized, and its compiler collects little garbage.
export GOGC=400 GOFLAGS="'-gcflags=all=-N -l -dwarf=false' '-gcflags=std=' '-ldflags=-s -w'"
bash "$CLIENTS/generate.sh" go --package-name api --type-mappings integer=int64 \
  --additional-properties useOneOfDiscriminatorLookup=true,withGoMod=false
go run .
