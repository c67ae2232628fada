"""All addresses of the dashboards: each room of views tells its own."""

from typing import Final

from evenhand.dashboard.analyses import views as analyses
from evenhand.dashboard.views import audits, bias, diversity, monitoring, overview, start
from evenhand.dashboard.views.people import candidates, labelling
from evenhand.dashboard.views.view import Address

__all__ = ["ADDRESSES"]

#: Those with a title stand in the navigation, in this order.
ADDRESSES: Final[tuple[Address, ...]] = (
    *overview.ADDRESSES,
    *diversity.ADDRESSES,
    *bias.ADDRESSES,
    *monitoring.ADDRESSES,
    *candidates.ADDRESSES,
    *labelling.ADDRESSES,
    *audits.ADDRESSES,
    *analyses.ADDRESSES,
    *start.ADDRESSES,
)
