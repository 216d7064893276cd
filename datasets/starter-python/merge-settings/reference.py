def merge_settings(base, override):
    merged = dict(base)
    for key, value in override.items():
        if value is None:
            merged.pop(key, None)
        elif isinstance(value, dict) and isinstance(base.get(key), dict):
            merged[key] = merge_settings(base[key], value)
        else:
            merged[key] = value
    return merged
