//! Student's distribution.

/// Steps of the continued fraction; it ends by far sooner.
const MAX_STEPS: u32 = 500;

/// The value that Student's t with `df` degrees of freedom exceeds with probability `tail`.
///
/// Found by bisection of the regularised incomplete beta function (Lentz's continued
/// fraction; DLMF 8.17.22), to about 14 digits. `None` unless `df` is above 0 and `tail` lies
/// between 0 and ½.
#[must_use]
pub fn t_quantile(tail: f64, df: f64) -> Option<f64> {
    if !(df > 0.0 && df.is_finite() && tail > 0.0 && tail < 0.5) {
        return None;
    }
    let above = |t: f64| 0.5 * incomplete_beta(df / 2.0, 0.5, df / (df + t * t));
    let (mut low, mut high) = (0.0, 1.0);
    while above(high) > tail {
        high *= 2.0;
        if high > 1e300 {
            return None;
        }
    }
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        if above(middle) > tail {
            low = middle;
        } else {
            high = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

/// The regularised incomplete beta function I_x(a, b).
fn incomplete_beta(a: f64, b: f64, x: f64) -> f64 {
    if x <= 0.0 {
        return 0.0;
    }
    if x >= 1.0 {
        return 1.0;
    }
    let front = ln_gamma(a + b) - ln_gamma(a) - ln_gamma(b) + a * x.ln() + b * (1.0 - x).ln();
    if x < (a + 1.0) / (a + b + 2.0) {
        front.exp() * fraction(a, b, x) / a
    } else {
        1.0 - front.exp() * fraction(b, a, 1.0 - x) / b
    }
}

fn fraction(a: f64, b: f64, x: f64) -> f64 {
    let guard = |value: f64| if value.abs() < 1e-300 { 1e-300 } else { value };
    let mut c = 1.0;
    let mut d = 1.0 / guard(1.0 - (a + b) * x / (a + 1.0));
    let mut result = d;
    for step in 1..MAX_STEPS {
        let m = f64::from(step);
        let even = m * (b - m) * x / ((a + 2.0 * m - 1.0) * (a + 2.0 * m));
        let odd = -(a + m) * (a + b + m) * x / ((a + 2.0 * m) * (a + 2.0 * m + 1.0));
        let mut change = 1.0;
        for factor in [even, odd] {
            d = 1.0 / guard(1.0 + factor * d);
            c = guard(1.0 + factor / c);
            change = c * d;
            result *= change;
        }
        if (change - 1.0).abs() < 1e-16 {
            break;
        }
    }
    result
}

/// The logarithm of the gamma function, by Lanczos' approximation with g = 7 and nine terms.
fn ln_gamma(x: f64) -> f64 {
    const TERMS: [f64; 9] = [
        0.999_999_999_999_809_9,
        676.520_368_121_885_1,
        -1_259.139_216_722_402_8,
        771.323_428_777_653_1,
        -176.615_029_162_140_6,
        12.507_343_278_686_905,
        -0.138_571_095_265_720_12,
        9.984_369_578_019_572e-6,
        1.505_632_735_149_311_6e-7,
    ];
    if x < 0.5 {
        let pi = std::f64::consts::PI;
        return (pi / (pi * x).sin()).ln() - ln_gamma(1.0 - x);
    }
    let x = x - 1.0;
    let mut sum = TERMS[0];
    let mut at = x;
    for term in &TERMS[1..] {
        at += 1.0;
        sum += term / at;
    }
    let t = x + 7.5;
    0.5 * (2.0 * std::f64::consts::PI).ln() + (x + 0.5) * t.ln() - t + sum.ln()
}

#[cfg(test)]
mod tests {
    use super::t_quantile;

    #[test]
    fn quantiles_are_those_of_the_tables() {
        // Student's table for a two-sided 95 % interval.
        for (df, t) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (10.0, 2.228),
            (120.0, 1.980),
        ] {
            let found = t_quantile(0.025, df).unwrap();
            assert!((found - t).abs() < 5e-4, "{df}: {found}");
        }
    }

    #[test]
    fn impossible_questions_have_no_answer() {
        for (tail, df) in [(0.0, 3.0), (0.5, 3.0), (0.025, 0.0), (f64::NAN, 3.0)] {
            assert_eq!(t_quantile(tail, df), None);
        }
    }
}
