"""What leaves a store for another one: single runs as files, and whole stores."""
