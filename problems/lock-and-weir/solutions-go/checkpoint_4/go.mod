module canal

go 1.18
