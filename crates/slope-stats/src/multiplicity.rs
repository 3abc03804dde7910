//! Several tests at once.

/// Holm's adjusted p values, in the order given: rejecting those of at most α bounds the
/// probability of any false rejection by α. `None` with a value outside 0 to 1.
#[must_use]
pub fn holm(p: &[f64]) -> Option<Vec<f64>> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut most: f64 = 0.0;
    for (place, &index) in order.iter().enumerate() {
        most = most.max((p[index] * crate::float(p.len() - place)).min(1.0));
        adjusted[index] = most;
    }
    Some(adjusted)
}

/// Benjamini's and Hochberg's adjusted p values, in the order given: rejecting those of at most α
/// keeps the expected share of false rejections at α if tests are independent or positively
/// dependent. `None` with a value outside 0 to 1.
#[must_use]
pub fn benjamini_hochberg(p: &[f64]) -> Option<Vec<f64>> {
    let order = ascending(p)?;
    let mut adjusted = vec![0.0; p.len()];
    let mut least: f64 = 1.0;
    for (place, &index) in order.iter().enumerate().rev() {
        least = least.min(p[index] * crate::float(p.len()) / crate::float(place + 1));
        adjusted[index] = least;
    }
    Some(adjusted)
}

fn ascending(p: &[f64]) -> Option<Vec<usize>> {
    if !p.iter().all(|p| (0.0..=1.0).contains(p)) {
        return None;
    }
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    Some(order)
}
