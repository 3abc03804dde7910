//! Ranks, with the mean rank for ties.

/// Ranks of `values` from 1, doubled so that the mean ranks of ties are integers.
///
/// `total_cmp` decides order and ties; callers reject values that are not finite.
pub(crate) fn doubled(values: &[f64]) -> Vec<u64> {
    let mut order: Vec<usize> = (0..values.len()).collect();
    order.sort_by(|&a, &b| values[a].total_cmp(&values[b]));
    let mut ranks = vec![0; values.len()];
    let mut before = 0;
    for group in order.chunk_by(|&a, &b| values[a] == values[b]) {
        let last = before + group.len() as u64;
        for &place in group {
            // First and last rank of the group: twice their mean.
            ranks[place] = before + 1 + last;
        }
        before = last;
    }
    ranks
}

/// Σ (t³ − t) over the groups of `t` equal values.
pub(crate) fn tie_term(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let groups = sorted.chunk_by(|a, b| a == b);
    groups
        .map(|group| crate::float(group.len()))
        .map(|t| t * t * t - t)
        .sum()
}
