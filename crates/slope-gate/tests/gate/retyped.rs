//! Helpers that were typed again in other words.

use crate::common::Repo;
use slope_gate::Head;
use slope_model::gate::{GateRule, Level};

/// Helpers and how somebody who did not know them writes them again.
const RETYPED: [(&str, &str, &str); 10] = [
    (
        "py",
        "def slugify(text):\n    text = text.lower().strip()\n    text = re.sub(r\"[^a-z0-9]+\", \"-\", text)\n    return text.strip(\"-\")\n",
        "def make_slug(title):\n    lowered = title.strip().lower()\n    cleaned = re.sub(r\"[^a-z0-9]+\", \"-\", lowered)\n    slug = cleaned.strip(\"-\")\n    return slug\n",
    ),
    (
        "py",
        "def load_settings(path):\n    if not os.path.exists(path):\n        return {}\n    with open(path, encoding=\"utf-8\") as handle:\n        return json.load(handle)\n",
        "def read_settings_file(file_name):\n    settings = {}\n    if os.path.exists(file_name):\n        with open(file_name, encoding=\"utf-8\") as source:\n            settings = json.load(source)\n    return settings\n",
    ),
    (
        "py",
        "def active_emails(users):\n    found = []\n    for user in users:\n        if user.is_active and user.email:\n            found.append(user.email.strip().lower())\n    return found\n",
        "def get_active_user_emails(people):\n    return [p.email.lower().strip() for p in people if p.email and p.is_active]\n",
    ),
    (
        "py",
        "def human_size(count):\n    for unit in (\"B\", \"KB\", \"MB\", \"GB\"):\n        if count < 1024:\n            return f\"{count:.1f} {unit}\"\n        count /= 1024\n    return f\"{count:.1f} TB\"\n",
        "def format_human_size(size):\n    units = [\"B\", \"KB\", \"MB\", \"GB\"]\n    index = 0\n    while size >= 1024 and index < len(units) - 1:\n        size /= 1024\n        index += 1\n    return f\"{size:.1f} {units[index]}\"\n",
    ),
    (
        "py",
        "def parse_duration(text):\n    match = DURATION.fullmatch(text)\n    if match is None:\n        raise ValueError(text)\n    amount = int(match.group(\"amount\"))\n    return timedelta(seconds=amount * UNITS[match.group(\"unit\")])\n",
        "def duration_from_string(value):\n    found = DURATION.fullmatch(value)\n    if not found:\n        raise ValueError(value)\n    unit = UNITS[found.group(\"unit\")]\n    amount = int(found.group(\"amount\"))\n    seconds = amount * unit\n    return timedelta(seconds=seconds)\n",
    ),
    (
        "ts",
        "export function truncateWords(text: string, limit: number): string {\n  const words = text.trim().split(/\\s+/);\n  if (words.length <= limit) {\n    return words.join(\" \");\n  }\n  return words.slice(0, limit).join(\" \").concat(\"...\");\n}\n",
        "export function truncateToWords(input: string, max: number): string {\n  const parts = input.trim().split(/\\s+/);\n  let result = parts.join(\" \");\n  if (parts.length > max) {\n    const kept = parts.slice(0, max);\n    result = kept.join(\" \").concat(\"...\");\n  }\n  return result;\n}\n",
    ),
    (
        "ts",
        "export function queryString(params: Params): string {\n  const parts: string[] = [];\n  for (const key of Object.keys(params)) {\n    parts.push(encodeURIComponent(key) + \"=\" + encodeURIComponent(params[key]));\n  }\n  return parts.sort().join(\"&\");\n}\n",
        "export const buildQueryString = (query: Params): string => {\n  return Object.keys(query)\n    .map((name) => encodeURIComponent(name) + \"=\" + encodeURIComponent(query[name]))\n    .sort()\n    .join(\"&\");\n};\n",
    ),
    (
        "go",
        "package a\n\nfunc Checksum(path string) (string, error) {\n\tfile, err := os.Open(path)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\tdefer file.Close()\n\thash := sha256.New()\n\tif _, err := io.Copy(hash, file); err != nil {\n\t\treturn \"\", err\n\t}\n\treturn hex.EncodeToString(hash.Sum(nil)), nil\n}\n",
        "package b\n\nfunc fileChecksum(name string) (string, error) {\n\tf, err := os.Open(name)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\tdefer f.Close()\n\th := sha256.New()\n\t_, err = io.Copy(h, f)\n\tif err != nil {\n\t\treturn \"\", err\n\t}\n\tsum := h.Sum(nil)\n\treturn hex.EncodeToString(sum), nil\n}\n",
    ),
    (
        "rs",
        "pub fn extension_of(path: &Path) -> Option<String> {\n    let name = path.file_name()?.to_str()?;\n    let (_, extension) = name.rsplit_once('.')?;\n    if extension.is_empty() {\n        return None;\n    }\n    Some(extension.to_ascii_lowercase())\n}\n",
        "fn get_extension(file: &Path) -> Option<String> {\n    let text = file.file_name()?.to_str()?;\n    match text.rsplit_once('.') {\n        Some((_, end)) if !end.is_empty() => Some(end.to_ascii_lowercase()),\n        _ => None,\n    }\n}\n",
    ),
    (
        "rs",
        "pub fn median(values: &[f64]) -> Option<f64> {\n    let mut sorted = values.to_vec();\n    sorted.sort_by(f64::total_cmp);\n    let middle = sorted.len() / 2;\n    if sorted.len() % 2 == 1 {\n        return sorted.get(middle).copied();\n    }\n    let below = sorted.get(middle.checked_sub(1)?)?;\n    Some((below + sorted[middle]) / 2.0)\n}\n",
        "fn median_of(numbers: &[f64]) -> Option<f64> {\n    if numbers.is_empty() {\n        return None;\n    }\n    let mut ordered = numbers.to_vec();\n    ordered.sort_by(f64::total_cmp);\n    let half = ordered.len() / 2;\n    if ordered.len() % 2 == 0 {\n        Some((ordered[half - 1] + ordered[half]) / 2.0)\n    } else {\n        ordered.get(half).copied()\n    }\n}\n",
    ),
];

/// Whether the gate says that new code does what old code does.
fn is_told(language: &str, old: &str, new: &str) -> bool {
    let repo = Repo::new(&[(&format!("lib/z.{language}"), old)]);
    repo.write(&[(&format!("lib/b.{language}"), new)]);
    let violations = repo.judge(None, Head::Worktree).violations;
    let told = violations
        .iter()
        .filter(|v| v.rule == GateRule::Reimplementation);
    let levels: Vec<Level> = told.map(|v| v.level).collect();
    assert!(levels.iter().all(|level| *level == Level::Warning));
    !levels.is_empty()
}

#[test]
fn most_retyped_helpers_are_reported() {
    let missed: Vec<&str> = RETYPED
        .iter()
        .filter(|(language, old, new)| !is_told(language, old, new))
        .map(|(_, _, new)| *new)
        .collect();
    assert!(missed.len() <= 3, "{} missed: {missed:#?}", missed.len());
}

#[test]
fn helpers_with_other_purpose_pass() {
    let close = [
        (
            "py",
            "def load_settings(path):\n    with open(path, encoding=\"utf-8\") as handle:\n        return json.load(handle)\n",
            "def store_settings(path, settings):\n    with open(path, \"w\", encoding=\"utf-8\") as handle:\n        json.dump(settings, handle)\n",
        ),
        (
            "py",
            "def active_emails(users):\n    return [u.email.strip().lower() for u in users if u.is_active and u.email]\n",
            "def invite_emails(users):\n    for user in users:\n        if user.email and not user.is_active:\n            mail.send(user.email, render(\"invite\"))\n",
        ),
        (
            "py",
            "def slugify(text):\n    text = re.sub(r\"[^a-z0-9]+\", \"-\", text.lower())\n    return text.strip(\"-\")\n",
            "def find_slug(page):\n    row = db.execute(\"select slug from pages where id = ?\", page.id)\n    return row.fetchone()[0]\n",
        ),
    ];
    for (language, old, new) in close {
        assert!(!is_told(language, old, new), "{new}");
    }
}
