//! A while of mutated sources for every language; `examples/fuzz` runs for longer.

use crate::mutate;
use slope_syntax::Language;

const ITERATIONS: u64 = 200;

#[test]
fn mutated_sources_break_nothing() {
    assert_eq!(mutate::SAMPLES.len(), Language::all().count());
    for (id, sample) in mutate::SAMPLES {
        let language = Language::by_id(id).expect(id);
        for iteration in 0..ITERATIONS {
            let mut random = mutate::Random(iteration);
            mutate::check(language, &mutate::mutate(sample.as_bytes(), &mut random));
        }
    }
}
