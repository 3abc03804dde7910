package main

var (
	heat = number(100, 1400)
	room = number(1, 500)
	rate = number(1, 50)
	hold = number(0, 600)
)

var clockFields = []Field{{name: "by", check: number(0, 100000)}}

var kilnFields = []Field{
	{name: "id", check: isName},
	{name: "room", check: room},
	{name: "max_heat", check: heat},
	{name: "rate", check: rate},
}

var pieceFields = []Field{
	{name: "owner", check: isText},
	{name: "size", check: room},
	{name: "heat", check: heat},
}

var pieceParameters = []Field{
	{name: "state", check: oneOf("waiting", "firing", "fired")},
	{name: "owner", check: isText},
}

var firingFields = []Field{
	{name: "kiln", check: isName},
	{name: "heat", check: heat},
	{name: "hold", check: hold, optional: true},
}

var firingParameters = []Field{{name: "kiln", check: isName}}

var routes = []Route{
	{method: "GET", pattern: "/clock", handle: getClock},
	{method: "POST", pattern: "/clock", handle: postClock, fields: clockFields},
	{method: "POST", pattern: "/kilns", handle: postKiln, fields: kilnFields},
	{method: "GET", pattern: "/kilns", handle: getKilns},
	{method: "GET", pattern: "/kilns/ID", handle: getKiln},
	{method: "POST", pattern: "/pieces", handle: postPiece, fields: pieceFields},
	{method: "GET", pattern: "/pieces", handle: getPieces, parameters: pieceParameters},
	{method: "GET", pattern: "/pieces/ID", handle: getPiece},
	{method: "POST", pattern: "/firings", handle: postFiring, fields: firingFields},
	{method: "GET", pattern: "/firings", handle: getFirings, parameters: firingParameters},
	{method: "GET", pattern: "/firings/ID", handle: getFiring},
}
