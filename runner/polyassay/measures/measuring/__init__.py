"""From answers to measured samples: in helper processes, in parallel, kept in the store."""
