def top_customers(connection, limit):
    query = """
        SELECT customer, SUM(amount) AS total
        FROM orders
        GROUP BY customer
        HAVING total > 0
        ORDER BY total DESC, customer
        LIMIT ?
    """
    return connection.execute(query, (limit,)).fetchall()
