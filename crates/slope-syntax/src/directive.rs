//! Preprocessor directives of C, C++ and C#.

/// The name of a line's directive and what follows the name: `("ifdef", " WIN")` for `#ifdef WIN`.
pub(crate) fn directive(line: &str) -> Option<(&str, &str)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let end = rest.find(|c: char| !c.is_ascii_alphabetic());
    Some(rest.split_at(end.unwrap_or(rest.len())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_split_after_their_name() {
        for (line, expected) in [
            ("#ifdef WIN\n", Some(("ifdef", " WIN\n"))),
            ("  #  else // why", Some(("else", " // why"))),
            ("#if(A)", Some(("if", "(A)"))),
            ("#", Some(("", ""))),
            ("x = '#if';", None),
            ("", None),
        ] {
            assert_eq!(directive(line), expected, "{line}");
        }
    }
}
