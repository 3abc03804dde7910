//! `slope watch notify`: sends messages about alarms to their receivers.

use std::collections::BTreeMap;
use std::fmt::Write;

use slope_deliver::{Delivery, Message, Outbox, deliver, messages, probe};
use slope_report::Format;
use slope_watch::settings::Settings;
use slope_watch::{WatchFolder, status};

use crate::args::WatchNotify;
use crate::commands::{output, safe};
use crate::exit::Done;
use crate::setup::variable;

pub(crate) fn run(args: &WatchNotify, format: Format) -> anyhow::Result<Done> {
    let settings = Settings::read(&args.of.folder)?;
    if settings.deliver.is_empty() {
        anyhow::bail!(
            "{} has no receivers\nhelp: add [deliver.NAME] to its watch.toml (docs/watch.md)",
            args.of.folder.display()
        );
    }
    let folder = WatchFolder::at(&args.of.folder);
    let _lock = folder.lock()?;
    if args.test {
        return test(&settings, &folder, format);
    }
    let deliveries = send(&settings, &folder)?;
    output::json_or_text(format, &deliveries, &in_words(&deliveries))?;
    Ok(done(&deliveries))
}

fn done(deliveries: &BTreeMap<String, Delivery>) -> Done {
    if deliveries
        .values()
        .any(|one| one.fault.is_some() || one.waiting > 0)
    {
        Done::NotSent
    } else {
        Done::Fine
    }
}

/// Writes the messages of a watch to the outbox of each receiver, and sends them.
pub(super) fn send(
    settings: &Settings,
    folder: &WatchFolder,
) -> anyhow::Result<BTreeMap<String, Delivery>> {
    let days = folder.results()?;
    let found = status(&days, settings.limits());
    let all = messages(&folder.name(), &found);
    let last = found.date.as_deref().unwrap_or_default();
    let now = jiff::Timestamp::now().as_second();
    let mut deliveries = BTreeMap::new();
    for (name, receiver) in &settings.deliver {
        let outbox = Outbox::at(&folder.outbox(), name);
        outbox.add(&all, last)?;
        let delivery = match receiver.channel(variable) {
            Ok(channel) => deliver(&outbox, &channel, now)?,
            Err(fault) => Delivery {
                waiting: pending(&outbox)?,
                fault: Some(fault),
                ..Delivery::default()
            },
        };
        deliveries.insert(name.clone(), delivery);
    }
    Ok(deliveries)
}

fn pending(outbox: &Outbox) -> anyhow::Result<usize> {
    let (entries, _) = outbox.entries()?;
    Ok(entries.iter().filter(|entry| entry.is_pending()).count())
}

/// Sends a test message to each receiver at once.
fn test(settings: &Settings, folder: &WatchFolder, format: Format) -> anyhow::Result<Done> {
    let now = jiff::Timestamp::now();
    let date = now.to_zoned(jiff::tz::TimeZone::UTC).date().to_string();
    let message = Message::test(&folder.name(), &date, &now.as_millisecond().to_string());
    let mut deliveries = BTreeMap::new();
    for (name, receiver) in &settings.deliver {
        let sent = receiver.channel(variable);
        let sent = sent.and_then(|channel| probe(&channel, &message, now.as_second()));
        let delivery = Delivery {
            sent: usize::from(sent.is_ok()),
            fault: sent.err(),
            ..Delivery::default()
        };
        deliveries.insert(name.clone(), delivery);
    }
    output::json_or_text(format, &deliveries, &in_words(&deliveries))?;
    Ok(done(&deliveries))
}

/// The result for each receiver, one line each.
pub(super) fn in_words(deliveries: &BTreeMap<String, Delivery>) -> String {
    let mut text = String::new();
    for (name, one) in deliveries {
        let sent = slope_model::plural(one.sent as u64, "message");
        let _ = write!(text, "{name}: {sent} sent");
        if one.waiting > 0 {
            let _ = write!(text, ", {} waiting", one.waiting);
        }
        for line in one.fault.iter().flat_map(|fault| fault.lines()) {
            let _ = write!(text, "\n  {}", safe(line));
        }
        for file in &one.damaged {
            let _ = write!(text, "\n  damaged, and set aside: {}", safe(file));
        }
        text.push('\n');
    }
    text.trim_end().to_owned()
}
