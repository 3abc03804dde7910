//! Placeholders in the texts of a `command` agent's file.
//!
//! `{name}` stands for a value and `{{name}}` is literal. Other braces are kept, so that JSON and
//! shell variables (`${name}`) need no escaping.

/// Names of the placeholders.
pub(crate) const PLACEHOLDERS: [&str; 5] =
    ["prompt", "prompt_file", "model", "gateway_url", "token"];

/// A piece of a text.
enum Piece<'a> {
    Text(&'a str),
    Name(&'a str),
}

/// Splits a text into pieces; `{{name}}` gives the text `{name}`.
fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    let mut begun = 0;
    while let Some(offset) = rest[begun..].find('{') {
        let open = begun + offset;
        let name = &rest[open + 1..];
        let length = name
            .find(|c: char| !c.is_ascii_lowercase() && c != '_')
            .unwrap_or(0);
        let closed = length > 0 && name[length..].starts_with('}');
        let of_shell = rest[..open].ends_with('$');
        let escaped = rest[..open].ends_with('{') && name[length..].starts_with("}}");
        if !closed || of_shell {
            begun = open + 1;
            continue;
        }
        let end = open + 1 + length + 1;
        if escaped {
            pieces.push(Piece::Text(&rest[..open - 1]));
            pieces.push(Piece::Text(&rest[open..end]));
            rest = &rest[end + 1..];
        } else {
            pieces.push(Piece::Text(&rest[..open]));
            pieces.push(Piece::Name(&name[..length]));
            rest = &rest[end..];
        }
        begun = 0;
    }
    pieces.push(Piece::Text(rest));
    pieces
}

/// The first unknown placeholder, as the error.
pub(crate) fn check(text: &str) -> Result<(), String> {
    for piece in pieces(text) {
        if let Piece::Name(name) = piece
            && !PLACEHOLDERS.contains(&name)
        {
            return Err(name.to_owned());
        }
    }
    Ok(())
}

/// Whether the text has this placeholder.
pub(crate) fn uses(text: &str, name: &str) -> bool {
    pieces(text)
        .iter()
        .any(|piece| matches!(piece, Piece::Name(found) if *found == name))
}

/// The values of the placeholders.
pub(crate) struct Values<'a> {
    pub(crate) prompt: &'a str,
    pub(crate) prompt_file: &'a str,
    pub(crate) model: &'a str,
    pub(crate) gateway_url: &'a str,
    pub(crate) token: &'a str,
    /// Additional placeholders of built-in descriptions.
    pub(crate) more: &'a [(&'static str, &'a str)],
}

impl Values<'_> {
    /// Fills a text in one pass: braces within a value are kept.
    pub(crate) fn fill(&self, text: &str) -> String {
        pieces(text)
            .into_iter()
            .map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Name("prompt") => self.prompt,
                Piece::Name("prompt_file") => self.prompt_file,
                Piece::Name("model") => self.model,
                Piece::Name("gateway_url") => self.gateway_url,
                Piece::Name("token") => self.token,
                Piece::Name(other) => {
                    let known = self.more.iter().find(|(name, _)| *name == other);
                    // `check` refused unknown names on reading.
                    known.map_or(other, |(_, value)| value)
                }
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fill(text: &str) -> String {
        let values = Values {
            prompt: "do {model} it",
            prompt_file: "/p",
            model: "M",
            gateway_url: "http://g",
            token: "T",
            more: &[("turns", "7")],
        };
        values.fill(text)
    }

    #[test]
    fn template_names_are_replaced_once() {
        assert_eq!(fill("{prompt}"), "do {model} it");
        assert_eq!(
            fill("a {model}{token} {gateway_url}/v1 é{prompt_file}"),
            "a MT http://g/v1 é/p"
        );
        assert_eq!(fill("--turns={turns}"), "--turns=7");
        assert_eq!(fill(""), "");
    }

    #[test]
    fn unknown_braces_stay_literal() {
        for text in [
            "{}",
            "{",
            "${model}",
            "${HOME}",
            "{\"a\": {\"b\": 1}}",
            "{a b}",
            "{é}",
            "{x",
        ] {
            assert_eq!(fill(text), text);
            assert_eq!(check(text), Ok(()));
        }
        assert_eq!(
            fill("{{model}} {{{\"a\": \"{model}\"}}}"),
            "{model} {{{\"a\": \"M\"}}}"
        );
    }

    #[test]
    fn unknown_template_names_are_rejected() {
        assert_eq!(check("{model} {promt}"), Err("promt".to_owned()));
        assert_eq!(check("{{promt}}"), Ok(()));
        assert!(uses("x{token}", "token"));
        assert!(!uses("x{{token}}${token}", "token"));
    }
}
