"""From prompts to answers: asks tools, and keeps what they say so that nothing is asked twice."""
