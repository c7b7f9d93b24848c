// Instead of the console, which no test opens: servers start with MINIO_BROWSER=off.
package cmd

import "errors"

type consoleServer struct{}

func (*consoleServer) Serve() error    { return nil }
func (*consoleServer) Shutdown() error { return nil }

func initConsoleServer() (*consoleServer, error) {
	return nil, errors.New("this build has no console: MINIO_BROWSER=off starts without it")
}
