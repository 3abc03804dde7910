"""The dyer: manages the store room and the vats of a dye works, over HTTP."""
import argparse

from house import House
from server import serve
from storeroom import StoreRoom


def main():
    parser = argparse.ArgumentParser(prog="dyer")
    parser.add_argument("--port", type=int, required=True)
    options = parser.parse_args()
    serve(options.port, House(StoreRoom()))


if __name__ == "__main__":
    main()
