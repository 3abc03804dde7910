package main

// API answers requests. Each is on disk before its answer is given.
type API struct {
	store  *Store
	line   *Line
	routes []Route
}

func newAPI(store *Store) *API {
	api := &API{store: store, line: &Line{store.State, store}}
	api.routes = append([]Route{
		{method: "POST", pattern: "/batches", handle: api.runBatch, fields: batchFields},
	}, allRoutes()...)
	return api
}

func (a *API) answer(request Request) (Reply, error) {
	reply, err := a.perform(request, a.routes)
	if refusal, ok := err.(*Refusal); ok {
		a.store.rollBack()
		return jsonReply(refusal.status, refusal.body, nil)
	}
	if err != nil {
		return Reply{}, err
	}
	return reply, a.store.commit()
}

func (a *API) perform(request Request, routes []Route) (Reply, error) {
	route, id, err := findRoute(routes, request)
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
	line, err := a.lineFor(call.parameters)
	if err != nil {
		return Reply{}, err
	}
	return route.handle(line, call)
}

// lineFor is the line as it is, or as it was at the time that the parameters name.
func (a *API) lineFor(parameters Fields) (*Line, error) {
	switch {
	case parameters.has("at") && parameters.has("minute"):
		return nil, badField("minute")
	case parameters.has("at"):
		return a.line.asOf(parameters.number("at"))
	case parameters.has("minute"):
		return a.line.atEndOf(parameters.number("minute"))
	}
	return a.line, nil
}
