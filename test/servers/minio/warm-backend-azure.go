// Instead of the tier on Azure, whose client has fifty packages.
package cmd

import (
	"errors"

	"github.com/minio/madmin-go/v3"
)

func newWarmBackendAzure(madmin.TierAzure, string) (WarmBackend, error) {
	return nil, errors.New("this build has no tier on Azure")
}
