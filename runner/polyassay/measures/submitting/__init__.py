"""What others send in for a leaderboard, and what is to be known before it is ranked."""
