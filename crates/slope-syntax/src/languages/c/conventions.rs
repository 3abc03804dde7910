//! What slope knows of the language besides its syntax, for signals.

use crate::conventions::{Conventions, PLAIN};

pub(super) static CONVENTIONS: Conventions = Conventions { ..PLAIN };
