module cuebook

go 1.18
