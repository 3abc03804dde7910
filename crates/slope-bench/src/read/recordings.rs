//! Paths of a run's recordings.

use std::path::{Path, PathBuf};

/// Recordings of a run's attempts, by trial, checkpoint and attempt number.
#[must_use]
pub fn recordings(run: &Path) -> Vec<PathBuf> {
    let mut folders = vec![run.join("trials")];
    // TRIALS/PROBLEM/TRIAL/CHECKPOINT/ATTEMPT
    for _ in 0..4 {
        folders = folders.iter().flat_map(|folder| inside(folder)).collect();
    }
    let mut found: Vec<(PathBuf, u32)> = folders
        .into_iter()
        .filter_map(|folder| {
            let number = folder.file_name()?.to_str()?.strip_prefix("attempt-")?;
            Some((folder.clone(), number.parse().ok()?))
        })
        .collect();
    found.sort_by(|(one, a), (two, b)| (one.parent(), a).cmp(&(two.parent(), b)));
    found
        .into_iter()
        .map(|(folder, _)| folder.join("recording.jsonl"))
        .filter(|file| file.is_file())
        .collect()
}

fn inside(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recordings_are_sorted_by_attempt_number() {
        let run = tempfile::tempdir().unwrap();
        let expected: Vec<PathBuf> = ["a/1/c/attempt-2", "a/1/c/attempt-10", "b/1/c/attempt-1"]
            .iter()
            .map(|attempt| {
                run.path()
                    .join("trials")
                    .join(attempt)
                    .join("recording.jsonl")
            })
            .collect();
        for file in expected.iter().rev() {
            std::fs::create_dir_all(file.parent().unwrap()).unwrap();
            std::fs::write(file, "").unwrap();
        }
        std::fs::create_dir_all(run.path().join("trials/b/1/c/attempt-2")).unwrap();
        std::fs::write(run.path().join("trials/stray"), "").unwrap();
        assert_eq!(recordings(run.path()), expected);
    }
}
