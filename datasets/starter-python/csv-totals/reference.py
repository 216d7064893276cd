import csv
import io


def csv_totals(text, group, value):
    totals = {}
    for row in csv.DictReader(io.StringIO(text, newline="")):
        if row[value]:
            totals[row[group]] = totals.get(row[group], 0.0) + float(row[value])
    return totals
