"""What a Python suite's own tests say."""
