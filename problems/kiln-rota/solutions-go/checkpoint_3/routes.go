package main

var (
	heat   = number(100, 1400)
	room   = number(1, 500)
	rate   = number(1, 50)
	hold   = number(0, 600)
	rank   = number(1, 9)
	minute = number(0, 10000000)
)

var clockFields = []Field{{name: "by", check: number(0, 100000)}}

var kilnFields = []Field{
	{name: "id", check: isName},
	{name: "room", check: room},
	{name: "max_heat", check: heat},
	{name: "rate", check: rate},
	{name: "cooling", check: rate, optional: true},
}

var programmeFields = []Field{
	{name: "id", check: isName},
	{name: "stages", check: listOf(1, 8, []Field{
		{name: "heat", check: heat},
		{name: "rate", check: rate},
		{name: "hold", check: hold},
	})},
}

var pieceFields = []Field{
	{name: "owner", check: isText},
	{name: "size", check: room},
	{name: "heat", check: heat, instead: "passes"},
	{name: "rank", check: rank, optional: true},
	{name: "due", check: minute, optional: true},
	{name: "passes", optional: true, check: listOf(1, 5, []Field{
		{name: "heat", check: heat},
		{name: "dry", check: number(0, 20000), optional: true},
	})},
	{name: "after", check: isText, optional: true},
}

var pieceChanges = []Field{
	{name: "rank", check: rank, optional: true},
	{name: "due", check: orNull(minute), optional: true},
}

var pieceParameters = []Field{
	{name: "state", check: oneOf("drying", "waiting", "firing", "fired", "missed", "cancelled")},
	{name: "owner", check: isText},
}

var firingFields = []Field{
	{name: "kiln", check: isName},
	{name: "heat", check: heat, instead: "programme"},
	{name: "hold", check: hold, optional: true, instead: "programme"},
	{name: "start", check: minute, optional: true},
	{name: "programme", check: isName, optional: true},
}

var firingParameters = []Field{
	{name: "kiln", check: isName},
	{name: "state", check: oneOf("planned", "firing", "cooling", "done", "empty", "cancelled", "stopped")},
}

var routes = []Route{
	{method: "GET", pattern: "/clock", handle: getClock},
	{method: "POST", pattern: "/clock", handle: postClock, fields: clockFields},
	{method: "POST", pattern: "/kilns", handle: postKiln, fields: kilnFields},
	{method: "GET", pattern: "/kilns", handle: getKilns},
	{method: "GET", pattern: "/kilns/ID", handle: getKiln},
	{method: "GET", pattern: "/kilns/ID/plan", handle: getPlan},
	{method: "POST", pattern: "/programmes", handle: postProgramme, fields: programmeFields},
	{method: "GET", pattern: "/programmes", handle: getProgrammes},
	{method: "GET", pattern: "/programmes/ID", handle: getProgramme},
	{method: "POST", pattern: "/pieces", handle: postPiece, fields: pieceFields},
	{method: "GET", pattern: "/pieces", handle: getPieces, parameters: pieceParameters},
	{method: "GET", pattern: "/pieces/ID", handle: getPiece},
	{method: "PATCH", pattern: "/pieces/ID", handle: patchPiece, fields: pieceChanges},
	{method: "POST", pattern: "/pieces/ID/cancel", handle: cancelPiece},
	{method: "POST", pattern: "/firings", handle: postFiring, fields: firingFields},
	{method: "GET", pattern: "/firings", handle: getFirings, parameters: firingParameters},
	{method: "GET", pattern: "/firings/ID", handle: getFiring},
	{method: "POST", pattern: "/firings/ID/cancel", handle: cancelFiring},
}
