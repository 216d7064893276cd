class Node:
    children = ()


def depth(node=Node()):
    return 1 + max(map(depth, node.children), default=0)
