// Stoker keeps the books of a pottery studio that shares its kilns, over HTTP.
package main

import (
	"flag"
	"log"
)

func main() {
	port := flag.Int("port", 0, "port on 127.0.0.1")
	folder := flag.String("data", "", "folder of the state")
	flag.Parse()
	if *port == 0 || *folder == "" {
		log.Fatal("usage: stoker --port N --data DIR")
	}
	service, err := openService(*folder)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(serve(*port, service))
}
