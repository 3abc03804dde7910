module stoker

go 1.18
