"""The Gradle engine: slow, plain, and the reference that the Java harness is held against."""
