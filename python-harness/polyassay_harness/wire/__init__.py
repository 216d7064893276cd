"""Messages between processes: frames, their types, and how values are written in them."""
