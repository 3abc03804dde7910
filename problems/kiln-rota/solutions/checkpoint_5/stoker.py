"""The stoker: keeps the books of a pottery studio that shares its kilns, over HTTP."""
import argparse

from server import serve
from service import Service


def main():
    parser = argparse.ArgumentParser(prog="stoker")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    serve(options.port, Service(options.data))


if __name__ == "__main__":
    main()
