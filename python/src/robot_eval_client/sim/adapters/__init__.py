"""One module for each kind of simulator; none of them is imported before it is asked for, but Gymnasium's."""
