from collections import deque

rows, columns = map(int, input().split())
maze = [input() for _ in range(rows)]
start = next((r, line.index("S")) for r, line in enumerate(maze) if "S" in line)
steps = {start: 0}
waiting = deque([start])
answer = "no way"
while waiting:
    r, c = waiting.popleft()
    if maze[r][c] == "E":
        answer = steps[r, c]
        break
    for cell in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)):
        inside = 0 <= cell[0] < rows and 0 <= cell[1] < columns
        if inside and cell not in steps and maze[cell[0]][cell[1]] != "#":
            steps[cell] = steps[r, c] + 1
            waiting.append(cell)
print(answer)
