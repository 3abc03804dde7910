module purser

go 1.18
