package main

var (
	heat   = number(100, 1400)
	room   = number(1, 500)
	rate   = number(1, 50)
	hold   = number(0, 600)
	rank   = number(1, 9)
	minute = number(0, 10000000)
	every  = number(60, 100000)
	times  = number(1, 1000)
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
	{name: "member", check: isText, optional: true},
}

var firingParameters = []Field{
	{name: "kiln", check: isName},
	{name: "state", check: oneOf(
		"planned", "firing", "cooling", "done", "empty", "cancelled", "stopped", "failed", "stranded",
	)},
	{name: "series", check: isText},
}

var leaseFields = []Field{
	{name: "member", check: isText},
	{name: "kiln", check: isName},
	{name: "from", check: minute},
	{name: "to", check: minute, above: "from"},
}

var leaseParameters = []Field{{name: "kiln", check: isName}, {name: "member", check: isText}}

var historyParameters = []Field{{name: "id", check: isText}, {name: "after", check: isDigits}}

var seriesFields = []Field{
	{name: "kiln", check: isName},
	{name: "heat", check: heat, instead: "programme"},
	{name: "hold", check: hold, optional: true, instead: "programme"},
	{name: "start", check: minute},
	{name: "programme", check: isName, optional: true},
	{name: "member", check: isText, optional: true},
	{name: "every", check: every},
	{name: "times", check: times, optional: true},
}

var seriesChanges = []Field{
	{name: "every", check: every, optional: true},
	{name: "times", check: orNull(times), optional: true},
}

var routes = []Route{
	{method: "GET", pattern: "/clock", handle: getClock},
	{method: "POST", pattern: "/clock", handle: postClock, fields: clockFields},
	{method: "POST", pattern: "/kilns", handle: postKiln, fields: kilnFields},
	{method: "GET", pattern: "/kilns", handle: getKilns},
	{method: "GET", pattern: "/kilns/ID", handle: getKiln},
	{method: "GET", pattern: "/kilns/ID/plan", handle: getPlan},
	{method: "POST", pattern: "/kilns/ID/break", handle: postBreak},
	{method: "POST", pattern: "/kilns/ID/repair", handle: postRepair},
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
	{method: "POST", pattern: "/leases", handle: postLease, fields: leaseFields},
	{method: "GET", pattern: "/leases", handle: getLeases, parameters: leaseParameters},
	{method: "GET", pattern: "/leases/ID", handle: getLease},
	{method: "POST", pattern: "/leases/ID/cancel", handle: cancelLease},
	{method: "POST", pattern: "/series", handle: postSeries, fields: seriesFields},
	{method: "GET", pattern: "/series", handle: getAllSeries},
	{method: "GET", pattern: "/series/ID", handle: getSeries},
	{method: "PATCH", pattern: "/series/ID", handle: patchSeries, fields: seriesChanges},
	{method: "POST", pattern: "/series/ID/cancel", handle: cancelSeries},
	{method: "GET", pattern: "/history", handle: getHistory, parameters: historyParameters},
}
