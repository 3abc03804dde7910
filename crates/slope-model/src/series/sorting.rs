//! Order of the points of a series.

use super::Point;

/// Sorts points: by iteration if both have one, otherwise by time, then by key.
///
/// A clock that went back must not reverse iterations, so a point with an iteration counts as made no earlier than the
/// iteration before it.
pub fn sort(points: &mut Vec<Point>) {
    let mut order: Vec<(Moment, String, usize)> = Vec::with_capacity(points.len());
    let mut counted: Vec<usize> = (0..points.len())
        .filter(|&at| points[at].iteration.is_some())
        .collect();
    counted.sort_by_key(|&at| (points[at].iteration, moment(&points[at])));
    let mut latest = Moment::default();
    for at in counted {
        latest = latest.max(moment(&points[at]));
        let number = points[at].iteration.unwrap_or_default();
        order.push((latest.clone(), format!("iteration-{number:010}"), at));
    }
    for (at, point) in points.iter().enumerate() {
        if point.iteration.is_none() {
            order.push((moment(point), point.key().to_string(), at));
        }
    }
    order.sort();
    let mut unsorted: Vec<Option<Point>> = std::mem::take(points).into_iter().map(Some).collect();
    points.extend(order.iter().filter_map(|(.., at)| unsorted[*at].take()));
}

/// A time that sorts as text: fractions of seconds come after the whole second.
type Moment = String;

fn moment(point: &Point) -> Moment {
    point.time.trim_end_matches('Z').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::series::tests::point;

    #[test]
    fn iterations_keep_order_when_clocks_go_back() {
        let at = |time: &str, iteration| Point {
            time: format!("2026-11-30T{time}Z"),
            iteration,
            ..point()
        };
        let mut points = vec![
            at("00:00:02", Some(2)),
            at("00:00:06", None),
            at("00:00:05.5", None),
            at("00:00:04", Some(1)),
            at("00:00:05", None),
            at("00:00:01", Some(3)),
        ];
        sort(&mut points);
        let keys: Vec<String> = points.iter().map(|it| it.key().to_string()).collect();
        let expected = [
            "iteration-1",
            "iteration-2",
            "iteration-3",
            "time-2026-11-30T00:00:05Z",
            "time-2026-11-30T00:00:05.5Z",
            "time-2026-11-30T00:00:06Z",
        ];
        assert_eq!(keys, expected);
        let mut reversed: Vec<Point> = points.iter().rev().cloned().collect();
        sort(&mut reversed);
        assert_eq!(reversed, points);
    }
}
