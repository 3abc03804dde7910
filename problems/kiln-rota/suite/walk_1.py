"""A random walk with what spec 1 knows."""
from walk import main

main(1)
