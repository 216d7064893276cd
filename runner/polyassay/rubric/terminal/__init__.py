"""How graders are asked: a full screen, or line by line."""
