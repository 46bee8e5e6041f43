"""What environments have in common whose hand is welded to a mocap body."""
