//! A time limit of the work that a thread does.
//!
//! Deep in the work, [`check`] ends it when the time is over. Work that hands parts to other threads gives them the
//! limit by [`carry`].

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::time::Instant;

thread_local! {
    static UNTIL: Cell<Option<Instant>> = const { Cell::new(None) };
}

/// The time is over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Over;

/// Runs work that ends at `until`, if that is given. It has no limit of work around it.
///
/// # Errors
/// If [`check`] ended the work.
pub fn within<T>(until: Option<Instant>, work: impl FnOnce() -> T) -> Result<T, Over> {
    let done = catch_unwind(AssertUnwindSafe(|| carry(until, work)));
    done.or_else(|cause| match cause.downcast::<Over>() {
        Ok(over) => Err(*over),
        Err(cause) => resume_unwind(cause),
    })
}

/// Runs a part of work, maybe in another thread, with the limit of the work.
pub fn carry<T>(until: Option<Instant>, part: impl FnOnce() -> T) -> T {
    /// Gives the thread its own limit back.
    struct Restore(Option<Instant>);
    impl Drop for Restore {
        fn drop(&mut self) {
            UNTIL.set(self.0);
        }
    }
    let _restore = Restore(UNTIL.replace(until));
    part()
}

/// The limit of the work that this thread does.
#[must_use]
pub fn current() -> Option<Instant> {
    UNTIL.get()
}

/// Whether the time is over.
#[must_use]
pub fn is_over() -> bool {
    UNTIL.get().is_some_and(|until| Instant::now() >= until)
}

/// Ends the work if its time is over.
pub fn check() {
    if is_over() {
        resume_unwind(Box::new(Over));
    }
}

#[cfg(test)]
mod tests {
    use super::{Over, carry, check, current, is_over, within};
    use std::time::Instant;

    #[test]
    fn check_ends_late_work() {
        let now = Some(Instant::now());
        let late = || {
            check();
            1
        };
        assert_eq!(within(now, late), Err(Over));
        assert_eq!(within(None, late), Ok(1));
        assert_eq!(current(), None);
    }

    #[test]
    fn inner_work_has_its_own_limit() {
        let now = Some(Instant::now());
        let inner = within(now, || within(None, is_over));
        assert_eq!(inner, Ok(Ok(false)));
        let parts = within(now, || {
            let until = current();
            std::thread::scope(|scope| scope.spawn(|| carry(until, is_over)).join())
        });
        assert!(parts.unwrap().unwrap());
    }

    #[test]
    fn other_panics_go_on() {
        let panicked = std::panic::catch_unwind(|| within(None, || panic!("no limit")));
        assert!(panicked.is_err());
        assert_eq!(current(), None);
    }
}
