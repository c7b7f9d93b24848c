// A server with MongoDB's protocol on SQLite, for tests: ferretdb ADDRESS FOLDER. It prints «ready ADDRESS»
// when it listens. Port 0 selects a free port.
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"github.com/FerretDB/FerretDB/ferretdb"
)

func main() {
	if len(os.Args) != 3 {
		log.Fatal("ferretdb ADDRESS FOLDER")
	}
	address, folder := os.Args[1], os.Args[2]
	socket := filepath.Join(folder, "socket")
	// Removes the socket of a killed process.
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener: ferretdb.ListenerConfig{Unix: socket},
		Handler:  "sqlite",
		// Written data survives a crash of the process, but not of the machine.
		SQLiteURL: "file:" + folder + "/?_pragma=synchronous(off)",
	})
	if err != nil {
		log.Fatal(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	listener, err := net.Listen("tcp", address)
	if err != nil {
		log.Fatal(err)
	}
	go acceptAll(listener, socket)
	go func() {
		// FerretDB is ready when it accepts connections.
		connection := dial(socket)
		connection.Close()
		fmt.Println("ready", listener.Addr())
	}()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
