// A real server of MongoDB's protocol over SQLite, for tests: ferretdb ADDRESS FOLDER. It prints «ready ADDRESS»
// when it listens; port 0 takes a free one.
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
	// A killed process leaves its socket behind.
	if err := os.Remove(socket); err != nil && !os.IsNotExist(err) {
		log.Fatal(err)
	}
	server, err := ferretdb.New(&ferretdb.Config{
		Listener:  ferretdb.ListenerConfig{Unix: socket},
		Handler:   "sqlite",
		// What was written survives the process, killed or not; only a fallen machine would lose it.
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
		// FerretDB tells of no readiness but by taking a connection.
		connection := dial(socket)
		connection.Close()
		fmt.Println("ready", listener.Addr())
	}()
	if err := server.Run(ctx); err != nil {
		log.Fatal(err)
	}
}
