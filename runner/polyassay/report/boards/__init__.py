"""The leaderboard as pages to publish."""
