#!/usr/bin/env python3
"""Writes an edge list with planted communities: most edges are within a community, the others anywhere.

    planted_graph.py NODES EDGES COMMUNITIES [SHARE_INSIDE] > planted.edges
"""
import random
import sys


def main():
    n_nodes, n_edges, n_communities = (int(text) for text in sys.argv[1:4])
    share_inside = float(sys.argv[4]) if len(sys.argv) > 4 else 0.9
    draw = random.Random(1)
    members = [range(c, n_nodes, n_communities) for c in range(n_communities)]
    edges = set()
    while len(edges) < n_edges:
        a = draw.randrange(n_nodes)
        is_inside = draw.random() < share_inside
        b = draw.choice(members[a % n_communities]) if is_inside else draw.randrange(n_nodes)
        if a != b:
            edges.add((min(a, b), max(a, b)))
    for a, b in sorted(edges):
        print(a, b)
    for node in sorted(set(range(n_nodes)) - {end for edge in edges for end in edge}):
        print(node)
    for c, nodes in enumerate(members):
        print(f"# group {c + 1}:", *nodes)


if __name__ == "__main__":
    main()
