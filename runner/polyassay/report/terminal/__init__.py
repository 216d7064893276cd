"""What commands print on a terminal: tables and progress; numbers in, text out."""
