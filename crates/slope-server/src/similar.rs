//! An index of the functions of a folder, kept up to date.

use std::collections::HashMap;
use std::path::Path;

use slope_measure::{Measurer, SourceFile};
use slope_signals::similar::{Form, Index, forms};
use slope_syntax::{Limits, Profile, callables, parse};

use crate::Refusal;

/// Hash of a file's path and bytes, which is all that its functions depend on.
type Key = [u8; 32];

/// The functions of a folder by the files that they are in.
#[derive(Default)]
pub(crate) struct Functions {
    known: HashMap<Key, Vec<Form>>,
    index: Index,
}

impl Functions {
    /// Current index of the folder. Only changed files are parsed.
    pub(crate) fn of(&mut self, measurer: &Measurer, root: &Path) -> Result<&Index, Refusal> {
        let known = &self.known;
        let files = measurer.each_source(root, |file| {
            let mut hasher = blake3::Hasher::new();
            hasher.update(file.path.as_bytes()).update(&[0]);
            hasher.update(&file.bytes);
            let key: Key = *hasher.finalize().as_bytes();
            let new = (!known.contains_key(&key)).then(|| forms_of(&file));
            (key, file.path, file.language.id().to_owned(), new)
        });
        let files = files.map_err(Refusal::of)?;
        let unchanged = files.len() == self.known.len() && files.iter().all(|f| f.3.is_none());
        if unchanged {
            return Ok(&self.index);
        }
        let mut now = HashMap::with_capacity(files.len());
        let mut listed = Vec::with_capacity(files.len());
        for (key, path, language, new) in files {
            let forms = new.or_else(|| self.known.remove(&key)).unwrap_or_default();
            now.insert(key, forms.clone());
            listed.push((path, language, forms));
        }
        self.known = now;
        self.index = Index::new(listed);
        Ok(&self.index)
    }
}

fn forms_of(file: &SourceFile) -> Vec<Form> {
    let Ok(tree) = parse(file.language, &file.bytes, &Limits::default()) else {
        return Vec::new();
    };
    let source = tree.source_lines(Profile::Slope);
    let callables = callables(&tree, Profile::Slope, &source);
    forms(&tree, &callables, &source)
}
