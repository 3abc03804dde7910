module yearbook

go 1.18
