//! Huge pages for work that needs much memory at once and then ends.
//!
//! The allocator is built without them (`no_thp`): in a long run with many small allocations they
//! cost a third more memory and save no time. Reading the cached facts of a large tree is
//! different: half of the system time was spent on 80 MB in 20,000 pages (`docs/performance.md`,
//! warm).
#![expect(
    unsafe_code,
    reason = "advice on memory is given by address; it changes no contents"
)]

use std::ffi::c_void;
use std::ops::Range;

use rustix::mm::{Advice, madvise};

/// Size of an allocation from the allocator's main memory region.
const PIECE_BYTES: usize = 16 << 10;

/// Requests huge pages for later allocations, if the system has them. Without them, or if the
/// memory map cannot be read, nothing changes.
pub(crate) fn use_from_now_on() {
    let piece = vec![0_u8; PIECE_BYTES];
    let Ok(maps) = std::fs::read_to_string("/proc/self/maps") else {
        return;
    };
    let address = piece.as_ptr().addr();
    let mut ranges = maps.lines().filter_map(range);
    let Some(range) = ranges.find(|range| range.contains(&address)) else {
        return;
    };
    let start = std::ptr::with_exposed_provenance_mut::<c_void>(range.start);
    // SAFETY: the range is one mapping of this process, and the advice changes no contents.
    let advised = unsafe { madvise(start, range.len(), Advice::LinuxHugepage) };
    if advised.is_ok() {
        // The allocator has switched them off for the process.
        let _as_before = rustix::thread::disable_transparent_huge_pages(false);
    }
}

/// The addresses of a line of `/proc/self/maps`: `start-end ...`, hexadecimal.
fn range(line: &str) -> Option<Range<usize>> {
    let (start, rest) = line.split_once('-')?;
    let (end, _) = rest.split_once(' ')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    Some(address(start)?..address(end)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn address_range_is_parsed_from_map() {
        let line = "7f0a1000-7f0a3000 rw-p 00000000 00:00 0 ";
        assert_eq!(range(line), Some(0x7f0a_1000..0x7f0a_3000));
        assert_eq!(range("nonsense"), None);
        assert_eq!(range(""), None);
    }

    #[test]
    fn memory_contents_survive_huge_pages() {
        let before: Vec<usize> = (0..100_000).collect();
        use_from_now_on();
        let after: Vec<usize> = (0..1_000_000).collect();
        assert!(before.iter().copied().eq(0..100_000));
        assert!(after.iter().copied().eq(0..1_000_000));
    }
}
