"""A random walk with what spec 5 knows."""
from walk import main

main(5)
