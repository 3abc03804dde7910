//! Components of Vue.

use super::markup::Markup;
use super::words::all_names;
use super::{Host, scripts};

pub(super) const HOST: Host = Host {
    suffix: "vue",
    language: "javascript",
    size_factor: 1,
    keeps_columns: true,
    is_imported: true,
    take: |text| {
        let mut taken = scripts::take(text, scripts_of(text), "javascript")?;
        if has_external_template(text) {
            taken.embedding.mentioned = all_names(&taken.text);
        }
        Ok(taken)
    },
};

/// The scripts at the top level of a component. The compiler treats everything in other blocks as text, except for
/// elements of the template, which has no scripts.
fn scripts_of(text: &str) -> Vec<scripts::Script<'_>> {
    let mut found = Vec::new();
    let mut markup = Markup::new(text);
    while let Some(tag) = markup.next_tag() {
        let is_markup = tag.is("template")
            && tag
                .attribute("lang")
                .is_none_or(|language| language == "html");
        let content = if tag.is_closed {
            tag.end..tag.end
        } else if is_markup {
            markup.nested_content(&tag)
        } else {
            markup.raw_content(&tag)
        };
        if tag.is("script") {
            found.push(scripts::Script { tag, content });
        }
    }
    found
}

/// Whether the template is in another file, which may use any name.
fn has_external_template(text: &str) -> bool {
    let mut markup = Markup::new(text);
    while let Some(tag) = markup.next_tag() {
        if tag.is("template") && tag.attribute("src").is_some() {
            return true;
        }
    }
    false
}
