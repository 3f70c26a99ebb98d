"""Games that go on: new events of a game, as a viewer may see them."""
