// Purser books places on the sailings of a ferry line, over HTTP.
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
		log.Fatal("usage: purser --port N --data DIR")
	}
	store, err := openStore(*folder)
	if err != nil {
		log.Fatal(err)
	}
	log.Fatal(serve(*port, newAPI(store)))
}
