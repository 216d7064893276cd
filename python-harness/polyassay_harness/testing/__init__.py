"""How one test is compiled, run and explained, in whichever process it runs."""
