// MongoDB writes are atomic per document. FerretDB 1.24 reads, changes and writes a document in separate steps, so
// that two concurrent updates of the same version may both succeed. This proxy executes writes one at a time.
package main

import (
	"bytes"
	"encoding/binary"
	"io"
	"log"
	"net"
	"sync"
	"time"
)

const (
	headerBytes     = 16
	longestMessage  = 64 << 20
	opMsg           = 2013
	moreToCome      = 2
	bodyOfFirstPart = headerBytes + 4 + 1 + 4
)

var writes = map[string]bool{
	"insert": true, "update": true, "delete": true, "findAndModify": true, "bulkWrite": true,
	"create": true, "createIndexes": true, "dropIndexes": true, "drop": true, "dropDatabase": true,
}

var oneWriter sync.Mutex

func acceptAll(listener net.Listener, socket string) {
	for {
		client, err := listener.Accept()
		if err != nil {
			log.Fatal(err)
		}
		go serve(client, socket)
	}
}

func dial(socket string) net.Conn {
	for start := time.Now(); ; time.Sleep(5 * time.Millisecond) {
		connection, err := net.Dial("unix", socket)
		if err == nil {
			return connection
		}
		if time.Since(start) > 10*time.Second {
			log.Fatal(err)
		}
	}
}

func serve(client net.Conn, socket string) {
	defer client.Close()
	server := dial(socket)
	defer server.Close()
	for {
		request, err := readMessage(client)
		if err != nil {
			return
		}
		if err := exchange(client, server, request); err != nil {
			return
		}
	}
}

// exchange forwards one request and its response.
func exchange(client, server net.Conn, request []byte) error {
	response, err := responseTo(server, request)
	if err != nil || response == nil {
		return err
	}
	_, err = client.Write(response)
	return err
}

// responseTo holds the lock during a write. Some requests have no response.
func responseTo(server net.Conn, request []byte) ([]byte, error) {
	if writes[commandOf(request)] {
		oneWriter.Lock()
		defer oneWriter.Unlock()
	}
	if _, err := server.Write(request); err != nil {
		return nil, err
	}
	if isOpMsg(request) && binary.LittleEndian.Uint32(request[headerBytes:])&moreToCome != 0 {
		return nil, nil
	}
	return readMessage(server)
}

func readMessage(connection net.Conn) ([]byte, error) {
	header := make([]byte, headerBytes)
	if _, err := io.ReadFull(connection, header); err != nil {
		return nil, err
	}
	length := int(int32(binary.LittleEndian.Uint32(header)))
	if length < headerBytes || length > longestMessage {
		return nil, io.ErrUnexpectedEOF
	}
	message := make([]byte, length)
	copy(message, header)
	_, err := io.ReadFull(connection, message[headerBytes:])
	return message, err
}

func isOpMsg(message []byte) bool {
	return len(message) > bodyOfFirstPart && binary.LittleEndian.Uint32(message[12:]) == opMsg
}

// commandOf returns the name of the first element of the body, which drivers send as the first section.
func commandOf(message []byte) string {
	if !isOpMsg(message) || message[headerBytes+4] != 0 {
		return ""
	}
	name, _, found := bytes.Cut(message[bodyOfFirstPart+1:], []byte{0})
	if !found {
		return ""
	}
	return string(name)
}
