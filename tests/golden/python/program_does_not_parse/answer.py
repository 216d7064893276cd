print("
