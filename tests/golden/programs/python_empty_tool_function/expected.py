async def wait(*args, **kwargs):
    return None
