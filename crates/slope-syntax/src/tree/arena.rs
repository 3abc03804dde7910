//! Memory for the grammar library, for one file at a time.
//!
//! The library asks for a piece of memory for most nodes, and all of them die together when the
//! file is flattened. So they come from one stretch of addresses for each thread, one after the
//! other, and are given up at once by going back to its start: nothing walks the tree to free it,
//! and the next file finds the memory in the processor's caches.
//!
//! Pieces that are given back earlier are handed out again, so a file takes no more than it would
//! otherwise: about 20 bytes for each byte of ordinary code.

#![expect(
    unsafe_code,
    reason = "C asks for memory by raw pointers; they are made and taken here and nowhere else"
)]

use std::cell::{Cell, RefCell};
use std::ffi::c_void;
use std::marker::PhantomData;
use std::ptr;
use std::sync::Once;

use memmap2::{MmapMut, MmapOptions, UncheckedAdvice};

/// Addresses for a thread, several times what the largest file takes. They take no memory before
/// they are written to. What does not fit comes from the system's allocator.
const REGION: usize = 2 << 30;

/// Bytes of memory that a thread keeps for the next file.
const KEPT: usize = 8 << 20;

/// Pieces begin at multiples of this, as the system's allocator has it.
const GRAIN: usize = 16;

/// The class precedes each piece.
const HEADER: usize = GRAIN;

/// Up to this length, header included, there is a class for each multiple of the grain; above, for
/// each power of two.
const SMALL: usize = 1024;
const SMALL_CLASSES: usize = SMALL / GRAIN;
const CLASSES: usize = SMALL_CLASSES + 32;

/// The length of pieces of a class with their header.
const fn length_of(class: usize) -> usize {
    if class < SMALL_CLASSES {
        (class + 1) * GRAIN
    } else {
        SMALL << (class - SMALL_CLASSES + 1)
    }
}

/// The class of pieces with this many bytes; `None` if the region has no such pieces.
const fn class_of(bytes: usize) -> Option<usize> {
    if bytes > REGION - HEADER {
        return None;
    }
    // Even an empty piece must have space for a pointer, for when it is returned.
    let last = if bytes == 0 {
        HEADER
    } else {
        bytes + HEADER - 1
    };
    Some(if last < SMALL {
        last / GRAIN
    } else {
        SMALL_CLASSES + (last / SMALL).ilog2() as usize
    })
}

/// The memory of a thread.
struct Arena {
    region: MmapMut,
    /// Start of the region.
    start: *mut u8,
    /// Bytes handed out since the last reset.
    used: usize,
    /// First returned piece of each class. Each one points to the next.
    given_back: [*mut u8; CLASSES],
}

impl Arena {
    /// `None` if the system cannot provide the region, for example under a limit of addresses.
    fn new() -> Option<Box<Self>> {
        let mut options = MmapOptions::new();
        let mut region = options.len(REGION).no_reserve_swap().map_anon().ok()?;
        Some(Box::new(Self {
            start: region.as_mut_ptr(),
            region,
            used: 0,
            given_back: [ptr::null_mut(); CLASSES],
        }))
    }

    #[inline]
    fn holds(&self, piece: *const u8) -> bool {
        piece.addr().wrapping_sub(self.start.addr()) < REGION
    }

    /// A piece for so many bytes; null if there is no room.
    #[inline]
    fn allocate(&mut self, bytes: usize) -> *mut u8 {
        let Some(class) = class_of(bytes) else {
            return ptr::null_mut();
        };
        let first = &mut self.given_back[class];
        if !first.is_null() {
            let piece = *first;
            // SAFETY: `give_back` wrote the pointer there, and the piece has not been handed out
            // since.
            *first = unsafe { piece.cast::<*mut u8>().read() };
            return piece;
        }
        let length = length_of(class);
        if length > REGION - self.used {
            return ptr::null_mut();
        }
        // SAFETY: `used + length` is within the region, and the bytes after `used` are free. Both
        // are multiples of the grain, and the region begins at a page.
        unsafe {
            let header = self.start.add(self.used);
            self.used += length;
            header.cast::<usize>().write(class);
            header.add(HEADER)
        }
    }

    /// The class of a piece.
    ///
    /// # Safety
    /// `piece` must come from `allocate` since the last reset.
    #[inline]
    unsafe fn class(piece: *const u8) -> usize {
        // SAFETY: `allocate` wrote it there.
        unsafe { piece.sub(HEADER).cast::<usize>().read() }
    }

    /// # Safety
    /// `piece` must come from `allocate` since the last reset, and must not be used any more.
    #[inline]
    unsafe fn give_back(&mut self, piece: *mut u8) {
        // SAFETY: every piece has room for a pointer, by its class.
        unsafe {
            let class = Self::class(piece);
            piece.cast::<*mut u8>().write(self.given_back[class]);
            self.given_back[class] = piece;
        }
    }

    /// Takes all pieces back.
    ///
    /// # Safety
    /// Nobody uses any of them any more.
    unsafe fn reset(&mut self) {
        if self.used > KEPT {
            // Remaining pages are kept for the next file. SAFETY: nobody uses the pieces, and the next ones are written
            // before they are read.
            let _ = unsafe {
                self.region.unchecked_advise_range(
                    UncheckedAdvice::DontNeed,
                    KEPT,
                    self.used - KEPT,
                )
            };
        }
        self.used = 0;
        self.given_back = [ptr::null_mut(); CLASSES];
    }
}

thread_local! {
    /// The arena in use: null outside of scopes.
    static CURRENT: Cell<*mut Arena> = const { Cell::new(ptr::null_mut()) };
    static OWN: RefCell<Option<Box<Arena>>> = const { RefCell::new(None) };
}

/// While it lives the grammar library has its memory on this thread from the thread's arena.
///
/// # Safety
/// Allocations of the library on this thread during the scope must not be used after it, not even
/// dropped. Nothing may be dropped or changed on another thread.
pub(super) struct Scope {
    /// It has to end on the thread that it began on.
    _here: PhantomData<*const ()>,
}

impl Scope {
    /// # Safety
    /// See [`Scope`].
    pub(super) unsafe fn begin() -> Self {
        install();
        let arena = OWN.with_borrow_mut(|own| {
            if own.is_none() {
                *own = Arena::new();
            }
            own.as_deref_mut().map_or(ptr::null_mut(), ptr::from_mut)
        });
        assert!(CURRENT.replace(arena).is_null(), "scopes do not nest");
        Self { _here: PhantomData }
    }
}

impl Drop for Scope {
    fn drop(&mut self) {
        let arena = CURRENT.replace(ptr::null_mut());
        // SAFETY: the arena is this thread's own and lives as long as the thread; that nobody uses
        // its pieces is what `begin` asks for.
        if let Some(arena) = unsafe { arena.as_mut() } {
            unsafe { arena.reset() };
        }
    }
}

/// Has the grammar library ask here for memory from now on. What it got before came from the
/// system's allocator, and so does what it asks for outside of scopes.
///
/// [`crate::parse`] calls it. Code that also uses the library in other ways must call it first,
/// while no thread is in the library.
pub fn install() {
    static INSTALLED: Once = Once::new();
    // SAFETY: the functions keep the contract of their namesakes in C, and take what those gave.
    INSTALLED.call_once(|| unsafe {
        tree_sitter::set_allocator(Some(tree_sitter::Allocator {
            malloc,
            calloc,
            realloc,
            free,
        }));
    });
}

/// The arena in use on this thread.
#[inline]
fn current<'a>() -> Option<&'a mut Arena> {
    // SAFETY: the arena lives as long as the scope. Only one of the functions below holds a
    // reference at a time, because they do not call each other.
    unsafe { CURRENT.get().as_mut() }
}

/// As the library's own functions do it: without memory, abort.
fn or_abort(piece: *mut c_void, bytes: usize) -> *mut c_void {
    if piece.is_null() && bytes > 0 {
        std::process::abort();
    }
    piece
}

extern "C" fn malloc(bytes: usize) -> *mut c_void {
    let piece = current().map_or(ptr::null_mut(), |arena| arena.allocate(bytes));
    if piece.is_null() {
        // SAFETY: `malloc` takes any number of bytes.
        return or_abort(unsafe { libc::malloc(bytes) }, bytes);
    }
    piece.cast()
}

extern "C" fn calloc(count: usize, bytes: usize) -> *mut c_void {
    let Some(all) = count.checked_mul(bytes) else {
        std::process::abort();
    };
    let piece = malloc(all);
    if !piece.is_null() {
        // SAFETY: the piece has that many bytes.
        unsafe { piece.cast::<u8>().write_bytes(0, all) };
    }
    piece
}

extern "C" fn realloc(piece: *mut c_void, bytes: usize) -> *mut c_void {
    if piece.is_null() {
        return malloc(bytes);
    }
    if !current().is_some_and(|arena| arena.holds(piece.cast())) {
        // SAFETY: memory outside of the arena came from the system's allocator.
        return or_abort(unsafe { libc::realloc(piece, bytes) }, bytes);
    }
    // SAFETY: the arena contains the piece, so `allocate` returned it in this scope. Pieces of a
    // class have `length_of` it bytes minus the header, and the new one is larger.
    unsafe {
        let class = Arena::class(piece.cast());
        if class_of(bytes).is_some_and(|wanted| wanted <= class) {
            return piece;
        }
        let wider = malloc(bytes);
        ptr::copy_nonoverlapping(piece.cast::<u8>(), wider.cast(), length_of(class) - HEADER);
        free(piece);
        wider
    }
}

extern "C" fn free(piece: *mut c_void) {
    match current() {
        // SAFETY: the arena contains it, so `allocate` returned it in this scope.
        Some(arena) if arena.holds(piece.cast()) => unsafe { arena.give_back(piece.cast()) },
        // SAFETY: memory outside of the arena came from the system's allocator, or is null.
        _ => unsafe { libc::free(piece) },
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn size_classes_fit_their_requests() {
        let sizes = (0..5000).chain((13..31).flat_map(|n| [(1 << n) - HEADER, (1 << n) + 1]));
        for bytes in sizes {
            let class = class_of(bytes).expect("it is in the region");
            assert!(class < CLASSES);
            assert!(length_of(class) >= bytes + HEADER, "{bytes}");
            assert!(length_of(class) >= size_of::<*mut u8>() + HEADER);
            assert!(length_of(class - 1) < bytes.max(1) + HEADER, "{bytes}");
            assert_eq!(length_of(class) % GRAIN, 0);
        }
        assert_eq!(class_of(REGION - HEADER + 1), None);
        assert_eq!(class_of(usize::MAX), None);
    }

    /// Something that C does with memory.
    #[derive(Debug, Clone)]
    enum Doing {
        Make(usize),
        MakeZeroed(usize),
        Resize(usize, usize),
        Free(usize),
    }

    fn doing() -> impl Strategy<Value = Doing> {
        let bytes =
            || prop_oneof![8 => 0_usize..300, 2 => 300_usize..5000, 1 => 5000_usize..3_000_000];
        prop_oneof![
            bytes().prop_map(Doing::Make),
            bytes().prop_map(Doing::MakeZeroed),
            (any::<usize>(), bytes()).prop_map(|(n, b)| Doing::Resize(n, b)),
            any::<usize>().prop_map(Doing::Free),
        ]
    }

    /// Pieces in use, each with the byte that fills it.
    #[derive(Default)]
    struct InUse(BTreeMap<usize, (*mut u8, usize, u8)>, usize);

    impl InUse {
        fn add(&mut self, piece: *mut c_void, bytes: usize) {
            assert!(!piece.is_null());
            assert_eq!(piece.addr() % GRAIN, 0);
            self.1 += 1;
            let mark = (self.1 % 251) as u8 + 1;
            unsafe { piece.cast::<u8>().write_bytes(mark, bytes) };
            self.0.insert(self.1, (piece.cast(), bytes, mark));
        }

        /// Removes a piece, after checking its content.
        fn take(&mut self, number: usize) -> Option<(*mut u8, usize, u8)> {
            let keys: Vec<usize> = self.0.keys().copied().collect();
            let key = keys.get(number.checked_rem(keys.len())?)?;
            let (piece, bytes, mark) = self.0.remove(key)?;
            assert!(all(piece, bytes, mark));
            Some((piece, bytes, mark))
        }

        fn check(&self) {
            for &(piece, bytes, mark) in self.0.values() {
                assert!(all(piece, bytes, mark));
            }
        }
    }

    fn all(piece: *const u8, bytes: usize, mark: u8) -> bool {
        let written = unsafe { std::slice::from_raw_parts(piece, bytes) };
        written.iter().all(|&byte| byte == mark)
    }

    fn go(doings: &[Doing], in_use: &mut InUse) {
        for doing in doings {
            match *doing {
                Doing::Make(bytes) => in_use.add(malloc(bytes), bytes),
                Doing::MakeZeroed(bytes) => {
                    let piece = calloc(1, bytes);
                    assert!(all(piece.cast(), bytes, 0));
                    in_use.add(piece, bytes);
                }
                Doing::Resize(number, bytes) => {
                    if let Some((piece, before, mark)) = in_use.take(number) {
                        // Zero bytes would free it, as in C.
                        let bytes = bytes.max(1);
                        let piece = realloc(piece.cast(), bytes);
                        assert!(all(piece.cast(), before.min(bytes), mark));
                        in_use.add(piece, bytes);
                    }
                }
                Doing::Free(number) => {
                    if let Some((piece, ..)) = in_use.take(number) {
                        free(piece.cast());
                    }
                }
            }
        }
    }

    proptest! {
        /// Pieces in use are not handed out again or overwritten, within one scope and the next.
        /// Memory from before the scope can be resized or freed in it.
        #[test]
        fn allocations_in_use_stay_intact(
            before in prop::collection::vec(doing(), 0..20),
            scopes in prop::collection::vec(prop::collection::vec(doing(), 0..120), 1..4),
        ) {
            let mut outer = InUse::default();
            go(&before, &mut outer);
            for doings in &scopes {
                let scope = unsafe { Scope::begin() };
                let mut inner = InUse::default();
                let (first, second) = doings.split_at(doings.len() / 2);
                go(first, &mut inner);
                if let Some((piece, ..)) = outer.take(0) {
                    free(piece.cast());
                }
                go(second, &mut inner);
                inner.check();
                // The rest is not freed: the scope gives it up.
                drop(scope);
                outer.check();
            }
            while let Some((piece, ..)) = outer.take(0) {
                free(piece.cast());
            }
        }
    }

    #[test]
    fn arena_scope_is_reused_and_cleared() {
        let scope = unsafe { Scope::begin() };
        let first = malloc(100);
        let large = malloc(KEPT * 2).cast::<u8>();
        let last = unsafe { large.add(KEPT * 2 - 1) };
        unsafe { last.write(7) };
        drop(scope);
        // The same addresses again, and the later data is lost.
        let scope = unsafe { Scope::begin() };
        assert_eq!(malloc(100), first);
        assert_eq!(malloc(KEPT * 2).cast::<u8>(), large);
        assert_eq!(unsafe { last.read() }, 0);
        drop(scope);
    }

    #[test]
    fn oversized_allocations_come_from_system() {
        let scope = unsafe { Scope::begin() };
        let pieces: Vec<_> = (0..3).map(|_| malloc(900 << 20)).collect();
        let held = |piece: &&*mut c_void| current().is_some_and(|a| a.holds(piece.cast()));
        assert_eq!(pieces.iter().filter(held).count(), 2);
        for piece in pieces {
            free(piece);
        }
        drop(scope);
    }
}
