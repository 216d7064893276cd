class Stack:
    def __init__(*args, **kwargs):
        return

    @property
    def top(*args, **kwargs):
        return None

    async def drain(*args, **kwargs):
        return None
