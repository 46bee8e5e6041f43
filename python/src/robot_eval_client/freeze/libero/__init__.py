"""Tasks of LIBERO, which run on robosuite 1.4."""
