package main

import (
	"fmt"
	"sort"
)

const (
	weekMinutes  = 10080
	quotaMinutes = 1440
)

// Lease gives a kiln to a member for a time.
type Lease struct {
	ID        string `json:"id"`
	Member    string `json:"member"`
	Kiln      string `json:"kiln"`
	From      int    `json:"from"`
	To        int    `json:"to"`
	cancelled bool
}

// LeaseView is a lease as it is shown.
type LeaseView struct {
	Lease
	State string `json:"state"`
}

func (s *Studio) addLease(fields Fields) (*Lease, error) {
	kiln, err := s.kilns.find(fields.text("kiln"))
	if err != nil {
		return nil, err
	}
	lease := &Lease{
		ID:     fmt.Sprintf("L%d", s.leases.next()),
		Member: fields.text("member"),
		Kiln:   kiln.ID,
		From:   fields.number("from"),
		To:     fields.number("to"),
	}
	if err := s.refuseLease(lease, kiln); err != nil {
		return nil, err
	}
	s.leases.add(lease.ID, lease)
	s.note("lease-made", lease.ID)
	return lease, nil
}

func (s *Studio) refuseLease(lease *Lease, kiln *Kiln) error {
	if lease.From < s.now {
		return conflict("in-the-past")
	}
	if others := s.leasesOf(kiln.ID, lease.From, lease.To); len(others) > 0 {
		return conflict("lease-taken", "lease", others[0].ID)
	}
	for _, firing := range s.busyWith(kiln, lease.From, lease.To) {
		if firing.Member != lease.Member {
			return conflict("kiln-busy", "until", firing.opening())
		}
	}
	return s.refuseOverQuota(lease)
}

// leasesOf gives the leases of a kiln between two minutes, the earliest first.
func (s *Studio) leasesOf(kiln string, first, last int) []*Lease {
	leases := s.leases.where(func(lease *Lease) bool {
		return lease.Kiln == kiln && !lease.cancelled && first < lease.To && lease.From < last
	})
	sort.SliceStable(leases, func(i, j int) bool { return leases[i].From < leases[j].From })
	return leases
}

// foreignLeases gives the leases of others that are in the firing's way, the earliest first.
func (s *Studio) foreignLeases(firing *Firing) []*Lease {
	var foreign []*Lease
	for _, lease := range s.leasesOf(firing.Kiln, firing.Starts, firing.opening()) {
		if lease.Member != firing.Member {
			foreign = append(foreign, lease)
		}
	}
	return foreign
}

// soleOwner is the member if the firing starts within a lease of its member, and otherwise empty.
func (s *Studio) soleOwner(firing *Firing) string {
	for _, lease := range s.leasesOf(firing.Kiln, firing.Starts, firing.Starts+1) {
		if lease.Member == firing.Member {
			return lease.Member
		}
	}
	return ""
}

func (s *Studio) refuseOverQuota(lease *Lease) error {
	for week := lease.From / weekMinutes; week <= (lease.To-1)/weekMinutes; week++ {
		left := quotaMinutes
		for _, other := range s.leases.all {
			if other.Member == lease.Member && !other.cancelled {
				left -= other.minutesIn(week)
			}
		}
		if lease.minutesIn(week) > left {
			return conflict("over-quota", "week", week, "left", left)
		}
	}
	return nil
}

func (l *Lease) minutesIn(week int) int {
	first, last := week*weekMinutes, (week+1)*weekMinutes
	if l.From > first {
		first = l.From
	}
	if l.To < last {
		last = l.To
	}
	if last < first {
		return 0
	}
	return last - first
}

func (s *Studio) viewLease(lease *Lease) LeaseView { return LeaseView{*lease, s.leaseState(lease)} }

func (s *Studio) leaseState(lease *Lease) string {
	switch {
	case lease.cancelled:
		return "cancelled"
	case s.now < lease.From:
		return "booked"
	case s.now < lease.To:
		return "running"
	}
	return "ended"
}

func (s *Studio) cancelLease(lease *Lease) error {
	switch s.leaseState(lease) {
	case "booked":
		lease.cancelled = true
	case "running":
		lease.To = s.now
	default:
		return conflict("lease-over")
	}
	s.note("lease-cancelled", lease.ID)
	return nil
}
