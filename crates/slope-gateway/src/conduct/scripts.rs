//! Scripts of texts, to find characters that nobody asked for.

use std::collections::BTreeSet;

/// First and last character of blocks, and the script that they belong to: those of the Unicode Standard that are
/// letters of one script. Latin and Greek, symbols and punctuation are usual in code and not among them.
const BLOCKS: [(u32, u32, u8); 22] = [
    (0x0400, 0x052F, 0),    // Cyrillic
    (0x0530, 0x058F, 1),    // Armenian
    (0x0590, 0x05FF, 2),    // Hebrew
    (0x0600, 0x077F, 3),    // Arabic
    (0x0900, 0x097F, 4),    // Devanagari
    (0x0980, 0x0DFF, 5),    // other scripts of India
    (0x0E00, 0x0E7F, 6),    // Thai
    (0x0E80, 0x0FFF, 7),    // Lao, Tibetan
    (0x1000, 0x109F, 8),    // Burmese
    (0x10A0, 0x10FF, 9),    // Georgian
    (0x1100, 0x11FF, 10),   // Hangul
    (0x1200, 0x139F, 11),   // Ethiopic
    (0x1780, 0x17FF, 12),   // Khmer
    (0x1800, 0x18AF, 13),   // Mongolian
    (0x3040, 0x30FF, 14),   // Kana
    (0x3130, 0x318F, 10),   // Hangul
    (0x3400, 0x4DBF, 15),   // Han
    (0x4E00, 0x9FFF, 15),   // Han
    (0xAC00, 0xD7AF, 10),   // Hangul
    (0xF900, 0xFAFF, 15),   // Han
    (0xFFFD, 0xFFFD, 16),   // replacement character
    (0x20000, 0x323AF, 15), // Han
];

/// Scripts that occur in some texts.
#[derive(Debug, Default)]
pub(super) struct Scripts(BTreeSet<u8>);

fn script(c: char) -> Option<u8> {
    let code = u32::from(c);
    if code < BLOCKS[0].0 {
        return None;
    }
    let mut blocks = BLOCKS.iter();
    let block = blocks.find(|(first, last, _)| (*first..=*last).contains(&code))?;
    Some(block.2)
}

impl Scripts {
    pub(super) fn add(&mut self, text: &str) {
        self.0.extend(text.chars().filter_map(script));
    }

    /// Characters of scripts that are not among these.
    pub(super) fn foreign(&self, text: &str) -> u64 {
        let scripts = text.chars().filter_map(script);
        scripts.filter(|script| !self.0.contains(script)).count() as u64
    }
}
