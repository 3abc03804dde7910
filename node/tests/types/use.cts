// The same package, as CommonJS.
import codeslope = require("codeslope");
import promises = require("codeslope/promises");
import http = require("codeslope/http");

export const erosion: number | null = codeslope.measure("src").totals.erosion;
export const later: Promise<codeslope.Assessment> = promises.judge("src");
export const client: http.Client = new http.Client("http://127.0.0.1", { token: "t" });
