"""The games that come with Fairdeal: their rules, and the types of their views, moves and options.

`fairdeal.of(RED7)` gives them to type checkers. The moves of a game are in `red7_moves` and its like, because several
games have a `PlayCard`.
"""

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kings_corners import moves as kings_corners_moves
from fairdeal.domain.kings_corners.game import KINGS_CORNERS
from fairdeal.domain.kings_corners.moves import Move as KingsCornersMove
from fairdeal.domain.kings_corners.views import KingsCornersView
from fairdeal.domain.pardon import moves as pardon_moves
from fairdeal.domain.pardon.game import PARDON
from fairdeal.domain.pardon.moves import Move as PardonMove
from fairdeal.domain.pardon.options import PardonOptions
from fairdeal.domain.pardon.views import PardonView
from fairdeal.domain.red7 import moves as red7_moves
from fairdeal.domain.red7.game import RED7
from fairdeal.domain.red7.moves import Move as Red7Move
from fairdeal.domain.red7.options import Red7Options
from fairdeal.domain.red7.views import Red7View
from fairdeal.domain.reviiyot import moves as reviiyot_moves
from fairdeal.domain.reviiyot.game import REVIIYOT
from fairdeal.domain.reviiyot.moves import Move as ReviiyotMove
from fairdeal.domain.reviiyot.options import PlaysBy, ReviiyotOptions, Strategy
from fairdeal.domain.reviiyot.views import ReviiyotView
from fairdeal.domain.tcg import moves as tcg_moves
from fairdeal.domain.tcg.decks import DeckList
from fairdeal.domain.tcg.game import TCG
from fairdeal.domain.tcg.moves import Move as TcgMove
from fairdeal.domain.tcg.options import TcgOptions
from fairdeal.domain.tcg.views import TcgView

__all__ = [
    "KINDS", "KINGS_CORNERS", "PARDON", "RED7", "REVIIYOT", "TCG", "DeckList", "KingsCornersMove", "KingsCornersView",
    "PardonMove", "PardonOptions", "PardonView", "PlaysBy", "Red7Move", "Red7Options", "Red7View", "ReviiyotMove",
    "ReviiyotOptions", "ReviiyotView", "Strategy", "TcgMove", "TcgOptions", "TcgView", "kings_corners_moves",
    "pardon_moves", "red7_moves", "reviiyot_moves", "tcg_moves",
]  # fmt: skip
