"""Other libraries: their mechanisms, accounts and estimators, and ours in theirs.

Each module needs the package that it is named after, from an extra of dplab with that name:
`opendp`, `dp_accounting` (extra `dp-accounting`) and `sklearn` (extra `scikit-learn`).
"""
