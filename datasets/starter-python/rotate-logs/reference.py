import os


def rotate_logs(name, keep):
    if os.path.exists(f"{name}.{keep}"):
        os.remove(f"{name}.{keep}")
    for number in range(keep - 1, 0, -1):
        if os.path.exists(f"{name}.{number}"):
            os.rename(f"{name}.{number}", f"{name}.{number + 1}")
    if os.path.exists(name):
        os.rename(name, f"{name}.1")
    open(name, "w").close()
    return sum(os.path.exists(f"{name}.{number}") for number in range(1, keep + 1))
