"""What all games share: the aggregate, the shape of a game's rules, chance and refusals."""
