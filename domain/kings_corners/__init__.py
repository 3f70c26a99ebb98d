"""Kings Corners: empty your hand onto the piles around the deck; kings open the corners."""
