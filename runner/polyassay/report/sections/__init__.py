"""Parts of a run's page that need more than the run's own scores, or a picture of their own."""
