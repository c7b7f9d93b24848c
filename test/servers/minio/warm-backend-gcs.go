// Instead of the tier on Google Cloud Storage, whose client is a quarter of the packages of MinIO.
package cmd

import (
	"errors"

	"github.com/minio/madmin-go/v3"
)

func newWarmBackendGCS(madmin.TierGCS, string) (WarmBackend, error) {
	return nil, errors.New("this build has no tier on Google Cloud Storage")
}
