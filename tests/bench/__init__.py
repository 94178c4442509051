"""Benchmarks: ourselves beside the floor and the peer, in one run. `make bench` prints ratios.

The floor does the least that could answer the same question; the peer is the same work
written the ordinary way. Figures of one run may be compared with each other and with
nothing else: machines differ, and so does one machine from hour to hour.
"""
