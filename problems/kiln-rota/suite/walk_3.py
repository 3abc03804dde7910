"""A random walk with what spec 3 knows."""
from walk import main

main(3)
