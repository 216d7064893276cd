balances = {}
for _ in range(int(input())):
    command, name, *rest = input().split()
    balance = balances.get(name, 0)
    if command == "show":
        print(f"{name}: {balance}")
    elif command == "deposit":
        balances[name] = balance + int(rest[0])
    elif int(rest[0]) > balance:
        print(f"refused {name}")
    else:
        balances[name] = balance - int(rest[0])
print(f"total: {sum(balances.values())}")
