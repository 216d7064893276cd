"""Makes a Java compilation unit of an answer."""
