"""What several of the processes need: limits, forks, folders, confinement, and how one ended."""
