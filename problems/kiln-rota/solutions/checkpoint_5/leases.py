"""Leases: a kiln that is one member's for a time, and how much of that a member may have."""
from errors import conflict

WEEK = 10080
QUOTA = 1440


def refuse_taken(studio, order):
    if order["from"] < studio.now:
        raise conflict("in-the-past")
    for other in leases_of(studio, order["kiln"], order["from"], order["to"]):
        raise conflict("lease-taken", lease=other["id"])


def add_lease(studio, order):
    lease = {"id": "L%d" % (len(studio.leases) + 1), **order, "cancelled": False}
    studio.leases[lease["id"]] = lease
    studio.note("lease-made", lease)
    return lease


def leases_of(studio, kiln_id, first, last):
    """The leases of the kiln between two minutes, the earliest first."""
    found = [lease for lease in studio.leases.values()
             if lease["kiln"] == kiln_id and not lease["cancelled"]
             and first < lease["to"] and lease["from"] < last]
    return sorted(found, key=lambda lease: lease["from"])


def foreign_leases(studio, firing, last):
    """The leases of others that are in the firing's way."""
    return [lease for lease in leases_of(studio, firing["kiln"], firing["starts"], last)
            if lease["member"] != firing["member"]]


def own_lease(studio, firing):
    """Whether the firing starts within a lease of its member."""
    return any(lease["member"] == firing["member"] for lease
               in leases_of(studio, firing["kiln"], firing["starts"], firing["starts"] + 1))


def refuse_over_quota(studio, order):
    for week in range(order["from"] // WEEK, (order["to"] - 1) // WEEK + 1):
        left = QUOTA - sum(_minutes_in(week, lease) for lease in studio.leases.values()
                           if lease["member"] == order["member"] and not lease["cancelled"])
        if _minutes_in(week, order) > left:
            raise conflict("over-quota", week=week, left=left)


def _minutes_in(week, lease):
    return max(0, min(lease["to"], (week + 1) * WEEK) - max(lease["from"], week * WEEK))


def state_of(studio, lease):
    if lease["cancelled"]:
        return "cancelled"
    if studio.now < lease["from"]:
        return "booked"
    return "running" if studio.now < lease["to"] else "ended"


def show_lease(studio, lease):
    shown = {**lease, "state": state_of(studio, lease)}
    del shown["cancelled"]
    return shown


def cancel_lease(studio, lease):
    state = state_of(studio, lease)
    if state == "booked":
        lease["cancelled"] = True
    elif state == "running":
        lease["to"] = studio.now
    else:
        raise conflict("lease-over")
    studio.note("lease-cancelled", lease)
