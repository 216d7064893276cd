"""Studies: from a file that names suites, tools and settings to a report."""
