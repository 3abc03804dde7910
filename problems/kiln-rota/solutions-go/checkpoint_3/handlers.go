package main

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
