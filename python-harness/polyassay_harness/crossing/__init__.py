"""Values on their way between worker and judge, which are never objects of the other side."""
