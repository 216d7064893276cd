"""From an answer to a Java compilation unit."""
