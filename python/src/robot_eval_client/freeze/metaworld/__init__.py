"""Meta-World's MT10."""
