"""A trading card game: mana, damage and minions, in its basic form and with five variations."""
