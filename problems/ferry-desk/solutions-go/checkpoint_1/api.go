package main

// API answers requests. Each is on disk before its answer is given.
type API struct {
	store *Store
	line  *Line
}

func newAPI(store *Store) *API { return &API{store, &Line{store}} }

func (a *API) answer(request Request) (Reply, error) {
	reply, err := a.perform(request)
	if refusal, ok := err.(*Refusal); ok {
		return jsonReply(refusal.status, refusal.body, nil)
	}
	if err != nil {
		return Reply{}, err
	}
	return reply, a.store.commit()
}

func (a *API) perform(request Request) (Reply, error) {
	route, id, err := findRoute(allRoutes(), request)
	if err != nil {
		return Reply{}, err
	}
	call, err := newCall(request, route, id)
	if err != nil {
		return Reply{}, err
	}
	if call.parameters, err = readParameters(request.query, route.parameters); err != nil {
		return Reply{}, err
	}
	if err := checkFields(call.fields, route.fields); err != nil {
		return Reply{}, err
	}
	return route.handle(a.line, call)
}

// newCall is the call with what has been read of the request first: the body.
func newCall(request Request, route Route, id string) (Call, error) {
	call := Call{id: id}
	var err error
	if route.fields != nil {
		call.fields, err = parseObject(request.body)
	}
	return call, err
}
