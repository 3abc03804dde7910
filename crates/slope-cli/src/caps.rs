//! Caps of a trial or a run, as the command line spells them.

use slope_bench::plan::CapPlan;

/// Reads `KIND=AMOUNT[,…]`, with the kinds tokens, usd, requests and seconds.
pub(crate) fn parse(text: &str) -> Result<CapPlan, String> {
    let mut caps = CapPlan::default();
    for part in text.split(',') {
        let (kind, amount) = part
            .split_once('=')
            .ok_or_else(|| format!("{part:?} is not KIND=AMOUNT, for example usd=20"))?;
        let whole = || {
            let number = amount.trim().parse::<u64>().ok().filter(|n| *n > 0);
            number.ok_or_else(|| format!("{amount:?} is not a whole number above zero"))
        };
        match kind.trim() {
            "tokens" => caps.tokens = Some(whole()?),
            "requests" => caps.requests = Some(whole()?),
            "seconds" => caps.wall_s = Some(whole()?),
            "usd" => {
                let number = amount.trim().parse::<f64>().ok();
                let number = number.filter(|usd| usd.is_finite() && *usd > 0.0);
                caps.usd =
                    Some(number.ok_or_else(|| format!("{amount:?} is not an amount above zero"))?);
            }
            other => {
                return Err(format!(
                    "{other:?} is not a kind of cap: give tokens, usd, requests or seconds"
                ));
            }
        }
    }
    Ok(caps)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caps_parse_by_kind() {
        let caps = parse("usd=2.5,tokens=1000, seconds=60").unwrap();
        assert_eq!(
            (caps.tokens, caps.requests, caps.wall_s),
            (Some(1000), None, Some(60))
        );
        assert_eq!(caps.usd, Some(2.5));
        for bad in " usd usd=0 usd=x tokens=1.5 turns=3 usd=1,,".split(' ') {
            assert!(parse(bad).is_err(), "{bad}");
        }
    }
}
