module vault

go 1.18
