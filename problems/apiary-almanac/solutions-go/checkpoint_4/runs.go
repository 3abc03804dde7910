package main

// runs divides a list into runs of neighbours with the same key.
func runs[T any](items []T, key func(T) string) [][]T {
	var found [][]T
	start := 0
	for end := 1; end <= len(items); end++ {
		if end == len(items) || key(items[end]) != key(items[start]) {
			found = append(found, items[start:end])
			start = end
		}
	}
	return found
}
