//! Files and classes that hold far more than others do.

use crate::catalogue::Signal;
use crate::findings::{Options, SignalFinding};
use crate::snapshot::Snapshot;
use crate::view::Place;

pub(crate) fn find(snapshot: &Snapshot<'_>, options: &Options, found: &mut Vec<SignalFinding>) {
    for (file, (path, facts)) in snapshot.files.iter().enumerate() {
        if snapshot.tests[file] {
            continue;
        }
        let callables = u32::try_from(facts.functions.len()).unwrap_or(u32::MAX);
        if facts.sloc > options.module_lines && callables > options.module_callables {
            let name = path.rsplit('/').next().unwrap_or(path);
            let message = format!(
                "{name} has {} source lines and {callables} functions, more than {} and {}.",
                facts.sloc, options.module_lines, options.module_callables
            );
            let start = Place {
                span: slope_model::finding::Span {
                    start_line: 1,
                    start_column: 1,
                    end_line: 1,
                    end_column: 1,
                },
                ..Place::default()
            };
            found.push(SignalFinding::new(
                file,
                Signal::GodModule,
                start,
                "",
                message,
                "",
            ));
        }
        for class in &facts.classes {
            if class.sloc > options.class_lines && class.methods > options.class_methods {
                let name = snapshot.name(file, class.name);
                let message = format!(
                    "`{name}` has {} source lines and {} methods, more than {} and {}.",
                    class.sloc, class.methods, options.class_lines, options.class_methods
                );
                found.push(SignalFinding::new(
                    file,
                    Signal::GodClass,
                    class.place,
                    "",
                    message,
                    name,
                ));
            }
        }
    }
}
