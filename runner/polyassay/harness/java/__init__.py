"""Java methods and classes, judged by JUnit tests in sandboxed JVMs."""
