def even_odd_split(numbers):
    evens = [number for number in numbers if number % 2 == 0]
    odds = [number for number in numbers if number % 2 == 1]
    return evens, odds
