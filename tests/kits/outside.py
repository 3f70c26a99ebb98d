"""A game that is not in the catalogue, as somebody who embeds Fairdeal would bring one."""

from dataclasses import replace

from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.domain.pardon.game import PARDON

OUTSIDE: AnyRules = replace(PARDON, kind="house_pardon", title="Pardon as played at our house")
