"""What a Java suite's own sources say."""
