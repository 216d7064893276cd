"""A small web server of the standard library, for pages that one person opens on this machine.

It serves applications, each below a random token: `http://127.0.0.1:PORT/TOKEN/`. An application is
a function from a request to a response. The server binds loopback unless told otherwise, answers
only to its own host names, lets no other site's page send anything, and forbids pages to load
anything from elsewhere. It maps no path to a file, so there is none to climb out of.
"""
