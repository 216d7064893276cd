"""Commands about what runs have found."""
