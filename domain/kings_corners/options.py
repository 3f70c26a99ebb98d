"""What can be agreed before a game of Kings Corners: nothing, so there is one preset."""

from fairdeal.domain.kernel.rules import NoOptions

PRESETS: dict[str, NoOptions] = {"classic": NoOptions()}
