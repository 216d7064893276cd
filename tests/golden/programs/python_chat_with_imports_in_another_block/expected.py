from graphlib import TopologicalSorter


def build_order(needs):
    return list(TopologicalSorter(needs).static_order())
