package main

func readColumn(report *Report, place string, words *Words) {
	column := &Column{place: place, field: words.field()}
	for words.more() {
		readOption(column, report, words)
	}
	section := report.current()
	section.columns = append(section.columns, column)
}

func readOption(column *Column, report *Report, words *Words) {
	switch word := words.take(); {
	case word == string(left) || word == string(right):
		column.side = Side(word)
	case contains(statistics, word):
		column.statistic = word
	case contains(courseNames, word):
		column.course = word
	case optionReaders[word] != nil:
		optionReaders[word](column, report, words)
	default:
		words.reject()
	}
}

// optionReaders read what follows the first word of an option.
var optionReaders = map[string]func(column *Column, report *Report, words *Words){
	"as": func(column *Column, _ *Report, words *Words) {
		title := words.text()
		column.title = &title
	},
	"width": func(column *Column, _ *Report, words *Words) {
		column.width = words.whole("width", narrowest, widest)
	},
	"decimals": func(column *Column, _ *Report, words *Words) {
		decimals := words.whole("decimals", 0, mostDecimals)
		column.decimals = &decimals
	},
	"in": func(column *Column, report *Report, words *Words) {
		column.unit, column.factor = knownUnit(report, words)
	},
	"or": func(column *Column, _ *Report, words *Words) {
		instead := words.text()
		column.instead = &instead
	},
}
