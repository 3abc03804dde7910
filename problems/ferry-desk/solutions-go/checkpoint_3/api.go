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
	key, err := readKey(request)
	if err != nil {
		return Reply{}, err
	}
	call, err := newCall(request, route, id)
	if err != nil {
		return Reply{}, err
	}
	asked, err := askedText(request, call.fields)
	if err != nil {
		return Reply{}, err
	}
	if earlier, err := a.store.replyTo(key, asked); earlier != nil || err != nil {
		return earlier.repeated(), err
	}
	reply, err := a.handle(request, route, call)
	if err == nil && key != "" {
		a.store.put(Entry{Reply: &FirstReply{key, a.store.clock, asked, reply}})
	}
	return reply, err
}

// newCall is the call with what has been read of the request first: the version and the body.
func newCall(request Request, route Route, id string) (Call, error) {
	call := Call{id: id}
	var err error
	if call.version, err = readVersion(request, route); err != nil {
		return Call{}, err
	}
	if route.fields != nil {
		call.fields, err = parseObject(request.body)
	}
	return call, err
}

func (a *API) handle(request Request, route Route, call Call) (Reply, error) {
	var err error
	if call.parameters, err = readParameters(request.query, route.parameters); err != nil {
		return Reply{}, err
	}
	if err := checkFields(call.fields, route.fields); err != nil {
		return Reply{}, err
	}
	return route.handle(a.line, call)
}
