//! What happened in a watch as an Atom feed, and its state as a badge.

use minijinja::{Value, context};
use slope_model::watch_notes::Notes;
use slope_model::watch_status::{AlarmReport, State, Status};

use super::address::watch_address;
use crate::format::{clean, number};
use crate::watch::{acknowledged, tone};

/// Entries of a feed, the newest.
const MOST_ENTRIES: usize = 100;
/// Width of a character of a badge, and the space around its texts.
const CHARACTER: f64 = 6.6;
const SPACE: f64 = 10.0;

/// What happened in a watch.
#[derive(Debug, Clone)]
pub struct WatchFeed {
    /// The project.
    pub project: String,
    /// Name of the watch.
    pub watch: String,
    /// Address of the server, without a path.
    pub origin: String,
    /// When days last came, in UTC.
    pub heard: String,
    /// The state.
    pub status: Status,
    /// The notes on alarms.
    pub notes: Notes,
}

/// An entry of a feed.
struct Entry<'a> {
    kind: &'static str,
    report: &'a AlarmReport,
    time: String,
    text: String,
}

impl WatchFeed {
    pub(super) fn value(&self) -> Value {
        let reports = self.status.alarms.iter();
        let mut entries = Vec::from_iter(reports.flat_map(|report| self.entries(report)));
        entries
            .sort_by(|a, b| (&b.time, b.kind, &b.report.id).cmp(&(&a.time, a.kind, &a.report.id)));
        let page = format!(
            "{}{}",
            self.origin,
            watch_address(&self.project, &self.watch)
        );
        let id = format!(
            "tag:slope.invalid,2026:{}",
            watch_address(&self.project, &self.watch)
        );
        let entry = |entry: &Entry<'_>| {
            context! {
                id => format!("{id}/{}/{}", clean(&entry.report.id), entry.kind),
                kind => entry.kind,
                sentence => clean(&entry.report.sentence),
                text => &entry.text,
                time => &entry.time,
                link => format!("{page}#alarm-{}", clean(&entry.report.id)),
            }
        };
        let shown = entries.iter().take(MOST_ENTRIES);
        context! {
            id => &id,
            page => &page,
            name => clean(&self.watch),
            project => clean(&self.project),
            heard => clean(&self.heard),
            version => env!("CARGO_PKG_VERSION"),
            entries => shown.map(entry).collect::<Vec<_>>(),
        }
    }

    /// What happened to an alarm.
    fn entries<'a>(&self, report: &'a AlarmReport) -> Vec<Entry<'a>> {
        let alarm = &report.alarm;
        let midnight = |day: &String| format!("{}T00:00:00Z", clean(day));
        let evidence = report.attribution.evidence.iter().map(|line| clean(line));
        let evidence = evidence.collect::<Vec<_>>().join("\n");
        let days = [
            ("raised", Some(&alarm.raised)),
            ("confirmed", alarm.confirmed.as_ref()),
            ("recovered", alarm.recovered.as_ref()),
        ];
        let happened = days.into_iter().filter_map(|(kind, day)| {
            Some(Entry {
                kind,
                report,
                time: midnight(day?),
                text: evidence.clone(),
            })
        });
        let note = self.notes.alarms.get(&report.id);
        let note = note.and_then(|note| note.acknowledged.as_ref());
        let noted = note.map(|note| Entry {
            kind: "acknowledged",
            report,
            time: clean(&note.at),
            text: acknowledged(note),
        });
        happened.chain(noted).collect()
    }
}

/// The state of a watch in a few words, for other pages.
#[derive(Debug, Clone)]
pub struct WatchBadge {
    /// Name of the watch.
    pub watch: String,
    /// The state.
    pub state: State,
    /// Whether all open alarms are acknowledged.
    pub is_acknowledged: bool,
    /// The last day.
    pub date: Option<String>,
}

impl WatchBadge {
    pub(super) fn value(&self) -> Value {
        let name: String = clean(&self.watch).chars().take(40).collect();
        let known = if self.is_acknowledged {
            ", acknowledged"
        } else {
            ""
        };
        let date = self.date.as_deref().map_or("no results".to_owned(), clean);
        let text = format!("{}{known} · {date}", self.state.name());
        let width = |text: &str| slope_stats::float(text.chars().count()) * CHARACTER;
        let (left, right) = (width(&name) + 2.0 * SPACE, width(&text) + 2.0 * SPACE);
        let shown = |value: f64| number(value, 1);
        context! {
            name => &name,
            text => &text,
            tone => tone(self.state),
            width => shown(left + right),
            left => shown(left),
            right => shown(right),
            name_at => shown(left / 2.0),
            text_at => shown(left + right / 2.0),
            name_width => shown(left - 2.0 * SPACE),
            text_width => shown(right - 2.0 * SPACE),
        }
    }
}

#[cfg(test)]
mod tests {
    use quick_xml::Reader;
    use quick_xml::events::Event;
    use slope_model::watch_notes::{Acknowledgement, Note};
    use slope_model::watch_status::{Alarm, Attribution, Layer};

    use super::super::Site;
    use super::*;

    /// Text that would break out of its element.
    const HOSTILE: &str = "</title>]]><x a='\"&\u{1}";

    fn report(raised: &str) -> AlarmReport {
        let alarm = Alarm {
            arm: "main".to_owned(),
            measure: "pass-rate".to_owned(),
            is_fall: true,
            raised: raised.to_owned(),
            confirmed: Some("2026-11-12".to_owned()),
            began: raised.to_owned(),
            began_between: (raised.to_owned(), raised.to_owned()),
            effect: -0.1,
            effect_se: 0.01,
            z: 5.0,
            recovered: None,
            deepens: None,
        };
        AlarmReport {
            id: alarm.id(),
            alarm,
            acknowledged: None,
            sentence: HOSTILE.to_owned(),
            attribution: Attribution {
                layer: Layer::Model,
                evidence: vec![HOSTILE.to_owned()],
            },
            flips: Vec::new(),
            slices: Vec::new(),
            classes: Vec::new(),
        }
    }

    fn feed(notes: Notes) -> String {
        let status = Status {
            schema: String::new(),
            date: Some("2026-11-30".to_owned()),
            sentence: String::new(),
            state: State::Confirmed,
            simulated: false,
            false_alarms_per_year: 0.1,
            valid_days: 1,
            baseline_days: 1,
            invalid_days: Vec::new(),
            missing_days: Vec::new(),
            suite: None,
            arms: Vec::new(),
            sensitivity: None,
            alarms: vec![report("2026-11-11")],
            series: Vec::new(),
            dates: Vec::new(),
            tasks: Vec::new(),
        };
        let feed = WatchFeed {
            project: "shop".to_owned(),
            watch: HOSTILE.to_owned(),
            origin: "https://slope.example".to_owned(),
            heard: "2026-11-30T00:00:00Z".to_owned(),
            status,
            notes,
        };
        let site = Site::new("1", false);
        site.and_then(|site| site.watch_feed(&feed)).unwrap()
    }

    /// The texts of all elements of a name in well-formed XML.
    fn texts(xml: &str, name: &str) -> Vec<String> {
        let mut reader = Reader::from_str(xml);
        let (mut found, mut at) = (Vec::new(), None);
        loop {
            match reader.read_event().unwrap() {
                Event::Eof => return found,
                Event::Start(start) => {
                    at = (start.name().as_ref() == name).then(String::new);
                }
                Event::Text(text) => {
                    if let Some(at) = &mut at {
                        at.push_str(&text);
                    }
                }
                Event::GeneralRef(_) => {
                    if let Some(at) = &mut at {
                        at.push('?');
                    }
                }
                Event::End(end) if end.name().as_ref() == name => found.extend(at.take()),
                _ => {}
            }
        }
    }

    #[test]
    fn feeds_have_stable_ids_and_order() {
        let mut notes = Notes::default();
        let before = feed(notes.clone());
        assert_eq!(texts(&before, "updated").len(), 3, "{before}");
        let note = Note::of(Acknowledgement {
            who: "Ann".to_owned(),
            why: HOSTILE.to_owned(),
            until: None,
            at: "2026-11-20T08:00:00Z".to_owned(),
        });
        notes
            .alarms
            .insert("main.pass-rate.2026-11-11".to_owned(), note);
        let after = feed(notes);
        let times = texts(&after, "updated");
        let expected = [
            "2026-11-30T00:00:00Z",
            "2026-11-20T08:00:00Z",
            "2026-11-12T00:00:00Z",
            "2026-11-11T00:00:00Z",
        ];
        assert_eq!(times, expected, "the newest first");
        let ids = texts(&after, "id");
        for id in texts(&before, "id") {
            assert!(ids.contains(&id), "{id} stays");
        }
    }
}
