from graphlib import TopologicalSorter


def build_order(dependencies):
    sorter = TopologicalSorter(dependencies)
    sorter.prepare()  # CycleError is a ValueError
    rounds = []
    while sorter.is_active():
        ready = sorted(sorter.get_ready())
        rounds.append(ready)
        sorter.done(*ready)
    return rounds
