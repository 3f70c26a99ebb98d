"""Red7: be winning when your turn ends, or you are out; the canvas says what winning means."""
