"""A random walk with what spec 2 knows."""
from walk import main

main(2)
