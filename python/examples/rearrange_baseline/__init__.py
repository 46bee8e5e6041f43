"""A baseline for `rearrange` that uses only sensors; `rearrange_policy.py` serves it."""
