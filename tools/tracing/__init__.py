"""Parts of tools/way."""
