"""The purser: books places on the sailings of a ferry line, over HTTP."""
import argparse

from api import Api
from server import serve
from store import Store


def main():
    parser = argparse.ArgumentParser(prog="purser")
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    serve(options.port, Api(Store(options.data)))


if __name__ == "__main__":
    main()
