"""Benchmarks of the product beside a floor and a peer; `make bench` prints the ratios.

The floor does the least work that gives the same result; the peer does the same work in the usual
way. Only figures of one run can be compared: machines differ, and so does their load.
"""
