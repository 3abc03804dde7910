//! Random edits of texts.

use std::collections::BTreeMap;
use std::path::Path;

/// Numbers that are the same in every run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 >> 16).unwrap() % end
    }

    pub(super) fn of<'l, T: ?Sized>(&mut self, list: &[&'l T]) -> &'l T {
        list[self.below(list.len())]
    }
}

/// The blocks of a text: lines up to one that starts at the margin after an empty line.
fn blocks(text: &str) -> Vec<String> {
    let mut blocks: Vec<String> = vec![String::new()];
    let mut was_empty = false;
    for line in text.split_inclusive('\n') {
        if was_empty && !line.starts_with([' ', '\n', '\t', '}', ')']) {
            blocks.push(String::new());
        }
        was_empty = line.trim().is_empty();
        blocks.last_mut().unwrap().push_str(line);
    }
    blocks
}

/// Edits one file, or two.
pub(super) fn edit(texts: &mut BTreeMap<String, String>, random: &mut Random) {
    let paths: Vec<String> = texts.keys().cloned().collect();
    let path = paths[random.below(paths.len())].clone();
    let suffix = path.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    let same: Vec<&String> = paths
        .iter()
        .filter(|own| own.rsplit_once('.').is_some_and(|(_, own)| own == suffix))
        .collect();
    let other = same[random.below(same.len())].clone();
    let mut own = blocks(&texts[&path]);
    let theirs = blocks(&texts[&other]);
    let block = theirs[random.below(theirs.len())].clone();
    let at = random.below(own.len());
    match random.below(10) {
        0 | 1 => own[at] = block,
        2 | 3 => own.insert(at, block),
        4 | 5 => drop(own.remove(at)),
        6 => {
            let mut lines: Vec<&str> = own[at].split_inclusive('\n').collect();
            if !lines.is_empty() {
                lines.remove(random.below(lines.len()));
            }
            own[at] = lines.concat();
        }
        7 => {
            // The function moves.
            let moved = own.remove(at);
            let text = texts.get_mut(&other).unwrap();
            if other != path {
                text.push('\n');
                text.push_str(&moved);
            }
        }
        8 => {
            let (folder, _) = other.rsplit_once('/').unwrap_or(("", ""));
            let new = format!("{folder}/moved{}.{suffix}", random.below(6));
            let text = texts.remove(&path).unwrap();
            texts.insert(new.trim_start_matches('/').to_owned(), text);
            return;
        }
        _ if random.below(2) == 0 && texts.len() > 4 => {
            texts.remove(&path);
            return;
        }
        _ => {
            let copy = path.replace('.', "_copy.");
            let text = own[at..].concat();
            texts.insert(copy, text);
            return;
        }
    }
    texts.insert(path, own.concat());
}

/// Reads the code below a folder.
pub(super) fn read(folder: &Path, name: &str, texts: &mut BTreeMap<String, String>) {
    let mut entries: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    entries.sort();
    for entry in entries {
        let name = format!("{name}/{}", entry.file_name().unwrap().to_str().unwrap());
        if entry.is_dir() {
            read(&entry, &name, texts);
        } else if let Ok(text) = std::fs::read_to_string(&entry)
            && ["rs", "py", "ts", "go", "js"]
                .iter()
                .any(|end| name.ends_with(end))
        {
            texts.insert(name, text);
        }
    }
}
