def text():
    banner = """one
  two
"""
    return banner
