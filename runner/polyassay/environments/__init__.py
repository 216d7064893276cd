"""What suites bring: interpreters with their libraries, and their jars."""
