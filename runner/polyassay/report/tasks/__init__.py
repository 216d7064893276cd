"""Parts of a task's page: failed tests taken apart, and how answers differ."""
