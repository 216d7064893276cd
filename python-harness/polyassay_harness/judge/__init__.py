"""The process that holds the tests of a candidate judged apart."""
