//! Tests of many edits at the same time.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;

use slope_model::grade::Grade;

use crate::grader::{Begun, Grader};

/// A grade's place among the others.
type Placed = (usize, Begun);

/// Runs the tests that grades wait for, as many at the same time as the operator allows. The order is kept.
pub(crate) fn finish_all(grader: &Grader, begun: Vec<Begun>) -> Vec<Grade> {
    let mut grades: Vec<Option<Grade>> = begun.iter().map(|_| None).collect();
    // Equal runs are made once, so one thread does all of them.
    let mut waiting: BTreeMap<[u8; 32], Vec<Placed>> = BTreeMap::new();
    for (at, begun) in begun.into_iter().enumerate() {
        match begun.run() {
            Some(key) => waiting.entry(key).or_default().push((at, begun)),
            None => grades[at] = Some(grader.finish(begun)),
        }
    }
    let jobs = grader.test_jobs().min(waiting.len());
    let mut waiting: Vec<Vec<Placed>> = waiting.into_values().collect();
    // Of equal runs, the first in the input decides the order.
    waiting.sort_by_key(|same| std::cmp::Reverse(same.first().map(|(at, _)| *at)));
    let waiting = Mutex::new(waiting);
    let next = || waiting.lock().unwrap_or_else(PoisonError::into_inner).pop();
    let work = || {
        let mut done: Vec<(usize, Grade)> = Vec::new();
        while let Some(same) = next() {
            done.extend(
                same.into_iter()
                    .map(|(at, begun)| (at, grader.finish(begun))),
            );
        }
        done
    };
    thread::scope(|scope| {
        let threads: Vec<_> = (0..jobs).map(|_| scope.spawn(work)).collect();
        for (at, grade) in threads
            .into_iter()
            .flat_map(|thread| thread.join().unwrap_or_default())
        {
            grades[at] = Some(grade);
        }
    });
    grades.into_iter().flatten().collect()
}
