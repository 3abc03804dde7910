package main

import "strconv"

func postPiece(studio *Studio, call Call) (Reply, error) {
	piece, err := studio.book(call.fields)
	if err != nil {
		return Reply{}, err
	}
	return created(piece.view())
}

func getPieces(studio *Studio, call Call) (Reply, error) {
	state, owner := call.parameters.text("state"), call.parameters.text("owner")
	pieces := []Piece{}
	for _, piece := range studio.pieces.all {
		if isWanted(state, piece.State) && isWanted(owner, piece.Owner) {
			pieces = append(pieces, piece.view())
		}
	}
	return ok(map[string]any{"pieces": pieces})
}

// isWanted tells whether a parameter that is empty if it is missing selects a value.
func isWanted(parameter, value string) bool { return parameter == "" || parameter == value }

func getPiece(studio *Studio, call Call) (Reply, error) {
	piece, err := studio.pieces.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(piece.view())
}

func patchPiece(studio *Studio, call Call) (Reply, error) {
	piece, err := studio.pieces.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	if err := studio.changePiece(piece, call.fields); err != nil {
		return Reply{}, err
	}
	return ok(piece.view())
}

func cancelPiece(studio *Studio, call Call) (Reply, error) {
	piece, err := studio.pieces.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	if err := studio.cancelPiece(piece); err != nil {
		return Reply{}, err
	}
	return ok(piece.view())
}

func postFiring(studio *Studio, call Call) (Reply, error) {
	order, err := studio.orderOf(call.fields)
	if err != nil {
		return Reply{}, err
	}
	firing, err := studio.fire(order)
	if err != nil {
		return Reply{}, err
	}
	return created(firing)
}

func getFirings(studio *Studio, call Call) (Reply, error) {
	kiln := call.parameters.text("kiln")
	if kiln != "" && !studio.kilns.has(kiln) {
		return Reply{}, missing("kiln")
	}
	state := call.parameters.text("state")
	firings := []*Firing{}
	for _, firing := range studio.firings.all {
		if isWanted(kiln, firing.Kiln) && isWanted(state, firing.State) {
			firings = append(firings, firing)
		}
	}
	return ok(map[string]any{"firings": firings})
}

func getFiring(studio *Studio, call Call) (Reply, error) {
	firing, err := studio.firings.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(firing)
}

func cancelFiring(studio *Studio, call Call) (Reply, error) {
	firing, err := studio.firings.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	if err := studio.cancelFiring(firing); err != nil {
		return Reply{}, err
	}
	return ok(firing)
}

func postLease(studio *Studio, call Call) (Reply, error) {
	lease, err := studio.addLease(call.fields)
	if err != nil {
		return Reply{}, err
	}
	return created(studio.viewLease(lease))
}

func getLeases(studio *Studio, call Call) (Reply, error) {
	kiln, member := call.parameters.text("kiln"), call.parameters.text("member")
	leases := []LeaseView{}
	for _, lease := range studio.leases.all {
		if isWanted(kiln, lease.Kiln) && isWanted(member, lease.Member) {
			leases = append(leases, studio.viewLease(lease))
		}
	}
	return ok(map[string]any{"leases": leases})
}

func getLease(studio *Studio, call Call) (Reply, error) {
	lease, err := studio.leases.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	return ok(studio.viewLease(lease))
}

func cancelLease(studio *Studio, call Call) (Reply, error) {
	lease, err := studio.leases.find(call.id)
	if err != nil {
		return Reply{}, err
	}
	if err := studio.cancelLease(lease); err != nil {
		return Reply{}, err
	}
	return ok(studio.viewLease(lease))
}

func getHistory(studio *Studio, call Call) (Reply, error) {
	after, _ := strconv.Atoi(call.parameters.text("after"))
	return ok(map[string]any{"history": studio.eventsAfter(after, call.parameters.text("id"))})
}
