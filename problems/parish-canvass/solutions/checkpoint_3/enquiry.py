"""The enquiry office: keeps forms and the replies to them, over HTTP."""
import argparse

from api import Api
from server import serve
from store import Store


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--data", required=True)
    options = parser.parse_args()
    serve(options.port, Api(Store(options.data)))


if __name__ == "__main__":
    main()
