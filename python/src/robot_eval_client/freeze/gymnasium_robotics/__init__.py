"""Fetch of Gymnasium-Robotics."""
