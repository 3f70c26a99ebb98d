"""Every registered game keeps the contract."""

import pytest

from fairdeal.application.catalogue import KINDS
from fairdeal.domain.kernel.rules import AnyRules
from fairdeal.testing import GameContract


class TestEveryGame(GameContract):
    @pytest.fixture(params=list(KINDS))
    def rules(self, request: pytest.FixtureRequest) -> AnyRules:
        return KINDS[request.param]
