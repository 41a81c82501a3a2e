"""The local model: each person adds noise, and nobody who collects the answers is trusted.

    frequency_oracles    how often is each of k categories? unary encoding, Hadamard response
    hashing              local hashing, for any number of categories
    heavy_hitters        the frequent ones among too many categories to ask about each
    one_bit_means        the mean of a bounded number, from one bit of each person
    memoised_response    RAPPOR's two coins, and what a day costs
    shuffling            what the noise is worth if nobody knows who sent which answer

Randomized response with k answers is older than the rest: `dplab.RandomizedResponse`.
"""
