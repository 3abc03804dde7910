"""A random walk with what spec 4 knows."""
from walk import main

main(4)
