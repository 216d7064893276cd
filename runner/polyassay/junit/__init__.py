"""JUnit XML: written for every harness, and read back into verdicts."""
