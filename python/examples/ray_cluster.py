#!/usr/bin/env python3
"""Grades requests on all nodes of a Ray cluster: `ray_cluster.py BASE < requests.jsonl > grades.jsonl`.

Start it on a node of the cluster. BASE must be readable on each node.
"""

from __future__ import annotations

import json
import sys

import ray

from codeslope.ray import Pool


def main() -> None:
    ray.init(address="auto")
    pool = Pool(sys.argv[1])
    for grade in pool.grade_all(json.loads(line) for line in sys.stdin):
        print(json.dumps(grade))


if __name__ == "__main__":
    main()
