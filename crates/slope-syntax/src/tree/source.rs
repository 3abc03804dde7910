//! The code of a file.

use std::ops::Range;

use super::decode::{decode, refuse_nul};
use super::{EncodingNote, Limits, ParseError};
use crate::hosts::Embedding;
use crate::language::Language;

/// A text to parse.
pub(super) struct Source {
    /// Its language, known from the file if that has code among other text.
    pub(super) language: Language,
    pub(super) text: String,
    pub(super) encoding_note: Option<EncodingNote>,
    pub(super) embedding: Option<Embedding>,
    /// The scripts or cells of the text, which are programs of their own; nothing if the text is one.
    pub(super) parts: Vec<Range<usize>>,
    /// Text that the grammar needs before each of them.
    pub(super) prefix: &'static str,
}

impl Source {
    /// The code in the bytes of a file.
    ///
    /// # Errors
    /// If they are not text, above a limit, or have no code that can be taken out.
    pub(super) fn of(
        language: Language,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<Self, ParseError> {
        let of_file = Limits {
            max_bytes: language.max_bytes(limits.max_bytes),
            ..*limits
        };
        let (text, encoding_note) = decode(bytes, &of_file)?;
        let Some(host) = language.host() else {
            return Ok(Self {
                language,
                text,
                encoding_note,
                embedding: None,
                parts: Vec::new(),
                prefix: "",
            });
        };
        let taken = (host.take)(&text).map_err(|reason| ParseError::NoCode { reason })?;
        if taken.text.len() > limits.max_bytes {
            return Err(ParseError::TooLarge {
                limit: limits.max_bytes,
            });
        }
        refuse_nul(&taken.text)?;
        Ok(Self {
            language: taken.language,
            text: taken.text,
            encoding_note,
            embedding: Some(taken.embedding),
            parts: taken.parts,
            prefix: taken.prefix,
        })
    }

    /// Whether it has cells, even if there is one.
    pub(super) fn is_notebook(&self) -> bool {
        let embedding = self.embedding.as_ref();
        embedding.is_some_and(|embedding| !embedding.cells.is_empty())
    }
}
