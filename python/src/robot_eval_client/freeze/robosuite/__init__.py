"""Environments of robosuite 1.5."""
