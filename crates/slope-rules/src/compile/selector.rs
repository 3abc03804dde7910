//! `kind` as a selector of kinds: `call > identifier`, `block :has(return_statement)`.
//!
//! ```text
//! list     = complex { "," complex }
//! complex  = compound { combinator compound }
//! compound = kind? { ":" pseudo "(" argument ")" }, at least one of them
//! ```
//! The combinators are a blank (anywhere inside), `>` (right inside), `+` (right
//! after), and `~` (anywhere after).

use crate::program::{Matcher, NthChild, Relation, StopBy};

use super::{Compiler, Fault};

/// The unparsed rest of a selector.
struct Input<'s>(&'s str);

impl<'s> Input<'s> {
    fn blanks(&mut self) -> bool {
        let before = self.0.len();
        self.0 = self.0.trim_start();
        self.0.len() < before
    }

    fn take(&mut self, mark: char) -> bool {
        match self.0.strip_prefix(mark) {
            Some(rest) => {
                self.0 = rest;
                true
            }
            None => false,
        }
    }

    fn take_while(&mut self, accepts: impl Fn(char) -> bool) -> &'s str {
        let end = self.0.find(|c| !accepts(c)).unwrap_or(self.0.len());
        let (taken, rest) = self.0.split_at(end);
        self.0 = rest;
        taken
    }

    fn name(&mut self) -> &'s str {
        if self.0.starts_with(|c: char| c.is_ascii_digit()) {
            return "";
        }
        self.take_while(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    }
}

impl Compiler<'_> {
    /// The matcher for a `kind`.
    pub(super) fn selector(&mut self, source: &str) -> Result<Matcher, Fault> {
        let mut input = Input(source.trim());
        let found = self.selector_list(&mut input)?;
        if input.0.is_empty() {
            Ok(found)
        } else {
            Err(unexpected(&input))
        }
    }

    fn selector_list(&mut self, input: &mut Input<'_>) -> Result<Matcher, Fault> {
        let mut any = vec![self.complex(input)?];
        while input.take(',') {
            input.blanks();
            any.push(self.complex(input)?);
        }
        Ok(match any.len() {
            1 => any.remove(0),
            _ => self.any(any),
        })
    }

    fn complex(&mut self, input: &mut Input<'_>) -> Result<Matcher, Fault> {
        let mut found = self.compound(input)?;
        loop {
            let blanks = input.blanks();
            let sign = input.0.chars().next();
            let combinator = match sign {
                Some(sign @ ('>' | '+' | '~')) => {
                    input.take(sign);
                    input.blanks();
                    sign
                }
                None | Some(')' | ',') => return Ok(found),
                Some(_) if blanks => ' ',
                Some(_) => return Ok(found),
            };
            let next = self.compound(input)?;
            let far = matches!(combinator, '~' | ' ');
            let relation = Box::new(self.relation_to(found, far));
            let related = match combinator {
                '>' | ' ' => Matcher::Inside(relation),
                _ => Matcher::Follows(relation),
            };
            found = self.all(vec![next, related]);
        }
    }

    fn relation_to(&self, matcher: Matcher, far: bool) -> Relation {
        Relation {
            kinds: super::kinds::safe_kinds(&matcher, &self.utils),
            matcher,
            stop_by: if far { StopBy::End } else { StopBy::Neighbor },
            field: 0,
        }
    }

    fn compound(&mut self, input: &mut Input<'_>) -> Result<Matcher, Fault> {
        let mut all = Vec::new();
        let name = input.name();
        if !name.is_empty() {
            all.push(Matcher::Kind(self.kind_by_name(name)?));
        }
        while input.take(':') {
            all.push(self.pseudo(input)?);
        }
        match all.len() {
            0 => Err(unexpected(input)),
            1 => Ok(all.remove(0)),
            _ => Ok(self.all(all)),
        }
    }

    fn pseudo(&mut self, input: &mut Input<'_>) -> Result<Matcher, Fault> {
        let name = input.name();
        if !input.take('(') {
            return Err(unexpected(input));
        }
        input.blanks();
        let found = match name {
            "has" => {
                let near = input.take('>');
                input.blanks();
                let inner = self.complex(input)?;
                Matcher::Has(Box::new(self.relation_to(inner, !near)))
            }
            "not" => Matcher::Not(Box::new(self.complex(input)?)),
            "is" => self.selector_list(input)?,
            "nth-child" => self.nth_of(input, false)?,
            "nth-last-child" => self.nth_of(input, true)?,
            other => {
                let message = format!("unknown pseudo-class `:{other}` in `kind`");
                return Err(Fault::wrong(message));
            }
        };
        input.blanks();
        if input.take(')') {
            Ok(found)
        } else {
            Err(unexpected(input))
        }
    }

    fn nth_of(&mut self, input: &mut Input<'_>, reverse: bool) -> Result<Matcher, Fault> {
        let formula =
            input.take_while(|c| c.is_ascii_digit() || matches!(c, 'n' | 'N' | '+' | '-' | ' '));
        let (step, offset) = super::formula(formula)?;
        let of_rule = match input.0.strip_prefix("of ") {
            Some(rest) => {
                input.0 = rest.trim_start();
                Some(self.complex(input)?)
            }
            None => None,
        };
        Ok(Matcher::NthChild(Box::new(NthChild {
            step,
            offset,
            of_rule,
            reverse,
        })))
    }
}

fn unexpected(input: &Input<'_>) -> Fault {
    Fault::wrong(match input.0 {
        "" => "`kind` ends too early".to_owned(),
        rest => format!("unexpected `{rest}` in `kind`"),
    })
}
