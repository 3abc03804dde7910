//! Components of Svelte.

use super::markup::Markup;
use super::words::without_dollar;
use super::{Host, scripts};

pub(super) const HOST: Host = Host {
    suffix: "svelte",
    language: "javascript",
    size_factor: 1,
    keeps_columns: true,
    is_imported: true,
    take: |text| {
        let mut taken = scripts::take(text, Markup::new(text).scripts(), "javascript")?;
        // `$store` reads the value of `store`.
        let stores = without_dollar(text);
        taken.embedding.mentioned.extend(stores);
        taken.embedding.mentioned.sort_unstable();
        taken.embedding.mentioned.dedup();
        Ok(taken)
    },
};
