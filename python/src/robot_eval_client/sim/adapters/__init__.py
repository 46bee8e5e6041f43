"""One module per simulator. All but Gymnasium's are imported on demand."""
