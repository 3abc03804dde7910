package p
import "fmt"
type S struct { a int }
func (s *S) M(a, b int, c ...string) (int, error) {
	if x := f(); x && y { } else if z { } else { }
	switch x { case 1, 2: a(); b()
	default: c() }
	switch t := x.(type) { case int: }
	select { case <-c: default: }
	f := func(a int) int { return a }
L:
	for i := range xs { break L }
	goto L
	return 1, nil
}
func G[T any](a, _ int, int) {}
