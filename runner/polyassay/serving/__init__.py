"""`polyassay serve`: the pages of all runs of a store, in a browser on this machine.

Pages are those of `polyassay report` and `polyassay leaderboard -o`, made when they are asked for
and made again when verdicts have come. Nothing that a browser sends changes anything: requests are
names of pages, and a name that is no page's is not found.
"""
