//! Addresses of pages.

/// A text as a part of an address.
#[must_use]
pub fn address_part(text: &str) -> String {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~".contains(&byte);
    let spelled = text.bytes().map(|byte| match is_plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    spelled.collect()
}

/// The address of a series' page.
#[must_use]
pub fn series_address(project: &str, series: &str) -> String {
    let (project, series) = (address_part(project), address_part(series));
    format!("/projects/{project}/{series}")
}

/// The address of a watch's page.
#[must_use]
pub fn watch_address(project: &str, watch: &str) -> String {
    let (project, watch) = (address_part(project), address_part(watch));
    format!("/projects/{project}/watch/{watch}")
}
