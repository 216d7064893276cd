"""What a measure is worth: how far it agrees with passing tests, and with people."""
